//go:build !purego

#include "textflag.h"

// HASH sets BX to the slot of the element at from, and AX to the rest of its hash.
#define HASH(from) \
	MOVQ  from, DX    \
	XORQ  R9, DX      \
	MULXQ R10, AX, DX \
	XORQ  AX, DX      \
	MULXQ R8, AX, BX

// VALUE makes of the rest what stands in a slot.
#define VALUE \
	SHRQ $16, AX \
	ORQ  R11, AX

#define ELEMENT(from) \
	HASH(from)               \
	VALUE                    \
	MOVQ    (DI)(BX*8), DX   \
	CMPQ    AX, DX           \
	CMOVQCS AX, DX           \
	MOVQ    DX, (DI)(BX*8)

#define ARGUMENTS \
	MOVQ best+0(FP), DI      \
	MOVQ k+8(FP), R8         \
	MOVQ elements+16(FP), SI \
	MOVQ n+24(FP), CX        \
	MOVQ add+32(FP), R9      \
	MOVQ mul+40(FP), R10     \
	MOVQ prefix+48(FP), R11

// func throwAll(best *uint64, k uint64, elements *uint64, n int, add, mul, prefix uint64)
TEXT ·throwAll(SB), NOSPLIT, $0-56
	ARGUMENTS
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
	RET

// func throwRest(best *uint64, k uint64, elements *uint64, n int, add, mul, prefix uint64)
TEXT ·throwRest(SB), NOSPLIT, $0-56
	ARGUMENTS

one:
	HASH(0(SI))
	ADDQ $8, SI
	CMPQ (DI)(BX*8), R11
	JCC  open

next:
	DECQ CX
	JNZ  one
	RET

open:
	// The slot was empty when the round began.
	VALUE
	CMPQ AX, (DI)(BX*8)
	JCC  next
	MOVQ AX, (DI)(BX*8)
	JMP  next
