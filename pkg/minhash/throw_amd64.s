#include "textflag.h"

// ELEMENT throws the element at from.
#define ELEMENT(from) \
	MOVQ    from, DX         \
	XORQ    R9, DX           \
	MULXQ   R10, AX, DX      \
	XORQ    AX, DX           \
	MULXQ   R8, AX, BX       \
	SHRQ    $16, AX          \
	ORQ     R11, AX          \
	MOVQ    (DI)(BX*8), DX   \
	MOVQ    DX, R12          \
	ADDQ    $1, R12          \
	ADCQ    $0, R13          \
	CMPQ    AX, DX           \
	CMOVQCS AX, DX           \
	MOVQ    DX, (DI)(BX*8)

// func throwFast(best *uint64, k uint64, elements *uint64, n int, add, mul, prefix uint64) (filled int)
TEXT ·throwFast(SB), NOSPLIT, $0-64
	MOVQ best+0(FP), DI
	MOVQ k+8(FP), R8
	MOVQ elements+16(FP), SI
	MOVQ n+24(FP), CX
	MOVQ add+32(FP), R9
	MOVQ mul+40(FP), R10
	MOVQ prefix+48(FP), R11
	XORQ R13, R13
	SUBQ $2, CX
	JLT  last

two:
	ELEMENT(0(SI))
	ELEMENT(8(SI))
	ADDQ $16, SI
	SUBQ $2, CX
	JGE  two

last:
	CMPQ CX, $-1
	JNE  end
	ELEMENT(0(SI))

end:
	MOVQ R13, filled+56(FP)
	RET
