//go:build !purego

// Without this assembly, recsign takes 17 % more processor time for generated web text (1.84 s for
// 300,000 records, instead of 1.58 s). Go code can replace it when package simd/archsimd is no
// longer experimental.

#include "textflag.h"

// func hashWordsOf(folded *byte, edges *int32, words *uint64, n int)
TEXT ·hashWordsOf(SB), NOSPLIT, $0-32
	MOVQ folded+0(FP), SI
	MOVQ edges+8(FP), DI
	MOVQ words+16(FP), R8
	MOVQ n+24(FP), CX
	MOVQ $0x9e3779b97f4a7c15, R9  // lengthMul
	MOVQ $0xa0761d6478bd642f, R10 // wordMul
	XORQ R11, R11

word:
	CMPQ  R11, CX
	JGE   end
	MOVL  (DI)(R11*8), AX
	MOVL  4(DI)(R11*8), BX
	SUBL  AX, BX
	MOVQ  BX, R13
	IMULQ R9, R13
	CMPL  BX, $16
	JGT   long

short:
	MOVQ (SI)(AX*1), DX
	MOVQ 8(SI)(AX*1), R12

	// Clear the bytes of both numbers that are after the end of the word.
	LEAQ    (BX*8), AX
	BZHIQ   AX, DX, DX
	XORQ    R13, DX
	MULXQ   R10, R13, DX
	XORQ    DX, R13
	SUBQ    $64, AX
	BZHIQ   AX, R12, DX
	XORQ    R13, DX
	MULXQ   R10, AX, DX
	XORQ    AX, DX
	CMPL    BX, $8
	CMOVQLE R13, DX
	MOVQ    DX, (R8)(R11*8)
	INCQ    R11
	JMP     word

long:
	MOVQ  (SI)(AX*1), DX
	XORQ  R13, DX
	MULXQ R10, R13, DX
	XORQ  DX, R13
	ADDQ  $8, AX
	SUBL  $8, BX
	CMPL  BX, $16
	JGT   long
	JMP   short

end:
	RET

// func hashTiny(folded *byte, edges *int32, words *uint64, n int) (done int)
TEXT ·hashTiny(SB), NOSPLIT, $0-40
	MOVQ folded+0(FP), SI
	MOVQ edges+8(FP), DI
	MOVQ words+16(FP), R8
	MOVQ n+24(FP), CX
	MOVQ $0x9e3779b97f4a7c15, R9
	MOVQ $0xa0761d6478bd642f, R10
	XORQ R11, R11

tiny:
	CMPQ  R11, CX
	JGE   tinyEnd
	MOVL  (DI)(R11*8), AX
	MOVL  4(DI)(R11*8), BX
	SUBL  AX, BX
	CMPL  BX, $8
	JGT   tinyEnd
	MOVQ  (SI)(AX*1), DX
	LEAQ  (BX*8), AX
	BZHIQ AX, DX, DX
	IMULQ R9, BX
	XORQ  BX, DX
	MULXQ R10, AX, DX
	XORQ  AX, DX
	MOVQ  DX, (R8)(R11*8)
	INCQ  R11
	JMP   tiny

tinyEnd:
	MOVQ R11, done+32(FP)
	RET
