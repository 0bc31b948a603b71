//go:build !purego

#include "textflag.h"

DATA bytes<>+0(SB)/1, $0x22 // quote
DATA bytes<>+1(SB)/1, $0x5c // backslash
DATA bytes<>+2(SB)/1, $0x1f // the last control character
GLOBL bytes<>(SB), RODATA|NOPTR, $3

// func plainBlocks(p *byte, n int) int
TEXT ·plainBlocks(SB), NOSPLIT, $0-24
	MOVQ         p+0(FP), SI
	MOVQ         n+8(FP), CX
	XORQ         DX, DX
	SUBQ         $32, CX
	VPBROADCASTB bytes<>+0(SB), Y1
	VPBROADCASTB bytes<>+1(SB), Y2
	VPBROADCASTB bytes<>+2(SB), Y3

block:
	CMPQ      DX, CX
	JGT       end
	VMOVDQU   (SI)(DX*1), Y0
	VPCMPEQB  Y0, Y1, Y4
	VPCMPEQB  Y0, Y2, Y5
	VPMINUB   Y0, Y3, Y6     // equal to the byte if that is a control character
	VPCMPEQB  Y0, Y6, Y6
	VPOR      Y4, Y5, Y5
	VPOR      Y5, Y6, Y6
	VPMOVMSKB Y6, AX
	TESTL     AX, AX
	JNZ       found
	ADDQ      $32, DX
	JMP       block

found:
	BSFL AX, AX
	ADDQ AX, DX

end:
	VZEROUPPER
	MOVQ DX, ret+16(FP)
	RET
