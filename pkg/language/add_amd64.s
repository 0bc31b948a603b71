//go:build !purego

#include "textflag.h"

// func addRows(sums *[maxLanguages]uint16, table *byte, shift uint64, grams *uint64, n int)
TEXT ·addRows(SB), NOSPLIT, $0-40
	MOVQ  sums+0(FP), DI
	MOVQ  table+8(FP), SI
	MOVQ  shift+16(FP), CX
	MOVQ  grams+24(FP), DX
	MOVQ  n+32(FP), BX
	MOVQ  $0x9e3779b97f4a7c15, R8
	LEAQ  (DX)(BX*8), BX
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	JMP   more

gram:
	MOVQ       (DX), AX
	IMULQ      R8, AX
	SHRXQ      CX, AX, AX
	SHLQ       $5, AX
	VPMOVZXBW  (SI)(AX*1), Y2
	VPMOVZXBW  16(SI)(AX*1), Y3
	VPADDW     Y2, Y0, Y0
	VPADDW     Y3, Y1, Y1
	ADDQ       $8, DX

more:
	CMPQ DX, BX
	JB   gram
	VMOVDQU Y0, (DI)
	VMOVDQU Y1, 32(DI)
	VZEROUPPER
	RET
