#include "textflag.h"

// func twoByteClasses(in *[mixedBytes]byte, m mask, table *[twoBytes]class) (found mask)
TEXT ·twoByteClasses(SB), NOSPLIT, $0-32
	MOVQ in+0(FP), SI
	MOVQ m+8(FP), R8
	MOVQ table+16(FP), DI
	XORQ R9, R9

	// The bytes a and b are the code point 64a+b, less what marks them as such.
	SUBQ  $(64*0xc0 + 0x80), DI
	TESTQ R8, R8
	JZ    twoEnd

two:
	TZCNTQ  R8, CX
	MOVBLZX (SI)(CX*1), AX
	MOVBLZX 1(SI)(CX*1), BX
	SHLL    $6, AX
	ADDL    BX, AX
	MOVBLZX (DI)(AX*1), AX
	SHLXQ   CX, AX, AX
	ORQ     AX, R9
	BLSRQ   R8, R8
	JNZ     two

twoEnd:
	MOVQ R9, found+24(FP)
	RET

// func threeByteClasses(in *[mixedBytes]byte, m mask, table *class) (found mask)
TEXT ·threeByteClasses(SB), NOSPLIT, $0-32
	MOVQ  in+0(FP), SI
	MOVQ  m+8(FP), R8
	MOVQ  table+16(FP), DI
	XORQ  R9, R9
	SUBQ  $(4096*0xe0 + 64*0x80 + 0x80), DI
	TESTQ R8, R8
	JZ    threeEnd

three:
	TZCNTQ  R8, CX
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
	BLSRQ   R8, R8
	JNZ     three

threeEnd:
	MOVQ R9, found+24(FP)
	RET

// EVERY2 writes where the lowest bit is, and clears it.
#define EVERY2(to) \
	TZCNTQ R8, AX \
	ADDL   CX, AX \
	MOVL   AX, to \
	BLSRQ  R8, R8

// func everySecond(edges *int32, m mask, at int32)
TEXT ·everySecond(SB), NOSPLIT, $0-20
	MOVQ  edges+0(FP), DI
	MOVQ  m+8(FP), R8
	MOVL  at+16(FP), CX
	TESTQ R8, R8
	JZ    everyEnd

every:
	EVERY2(0(DI))
	EVERY2(8(DI))
	EVERY2(16(DI))
	EVERY2(24(DI))
	ADDQ  $32, DI
	TESTQ R8, R8
	JNZ   every

everyEnd:
	RET
