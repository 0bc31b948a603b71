#include "go_asm.h"
#include "textflag.h"

// func lookBoth(in *[mixedBytes]byte, two, three mask, t *table) (found mask)
TEXT ·lookBoth(SB), NOSPLIT, $0-40
	MOVQ in+0(FP), SI
	MOVQ two+8(FP), R8
	MOVQ three+16(FP), R10
	MOVQ t+24(FP), R11
	XORQ R9, R9

	// The bytes a and b are the code point 64a+b, less what marks them as such.
	LEAQ  -(64*0xc0 + 0x80)(R11), DI
	TESTQ R8, R8
	JZ    twoEnd

twoBytes:
	TZCNTQ  R8, CX
	MOVBLZX (SI)(CX*1), AX
	MOVBLZX 1(SI)(CX*1), BX
	SHLL    $6, AX
	ADDL    BX, AX
	MOVBLZX (DI)(AX*1), AX
	SHLXQ   CX, AX, AX
	ORQ     AX, R9
	BLSRQ   R8, R8
	JNZ     twoBytes

twoEnd:
	MOVQ  table_rest(R11), DI
	SUBQ  $(4096*0xe0 + 64*0x80 + 0x80), DI
	TESTQ R10, R10
	JZ    threeEnd

threeBytes:
	TZCNTQ  R10, CX
	MOVBLZX (SI)(CX*1), AX
	MOVBLZX 1(SI)(CX*1), BX
	MOVBLZX 2(SI)(CX*1), DX
	SHLL    $6, AX
	ADDL    BX, AX
	SHLL    $6, AX
	ADDL    DX, AX
	MOVBLZX (DI)(AX*1), AX
	SHLXQ   CX, AX, AX
	ORQ     AX, R9
	BLSRQ   R10, R10
	JNZ     threeBytes

threeEnd:
	MOVQ R9, found+32(FP)
	RET

// BOUND writes where a word begins and where one ends, and clears the bits.
#define BOUND(begin, end) \
	TZCNTQ R8, AX   \
	TZCNTQ R9, BX   \
	ADDL   CX, AX   \
	ADDL   CX, BX   \
	MOVL   AX, begin \
	MOVL   BX, end   \
	BLSRQ  R8, R8   \
	BLSRQ  R9, R9

// func boundsTo(beginTo, endTo *int32, begins, ends mask, at int32)
TEXT ·boundsTo(SB), NOSPLIT, $0-36
	MOVQ beginTo+0(FP), DI
	MOVQ endTo+8(FP), SI
	MOVQ begins+16(FP), R8
	MOVQ ends+24(FP), R9
	MOVL at+32(FP), CX
	JMP  more

	// Four at a time, so that the loop ends about where a processor expects.
bound:
	BOUND(0(DI), 0(SI))
	BOUND(8(DI), 8(SI))
	BOUND(16(DI), 16(SI))
	BOUND(24(DI), 24(SI))
	ADDQ $32, DI
	ADDQ $32, SI

more:
	MOVQ R8, AX
	ORQ  R9, AX
	JNZ  bound
	RET
