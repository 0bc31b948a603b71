//go:build !purego

// Without this file, recsign takes 9 % more processor time (1.72 s instead of 1.58 s for 300,000
// records of generated web text). Remove this file when package simd/archsimd is no longer
// experimental.

#include "textflag.h"

DATA bytes<>+0(SB)/1, $0x22 // quote
DATA bytes<>+1(SB)/1, $0x5c // backslash
DATA bytes<>+2(SB)/1, $0x1f // the last control character
GLOBL bytes<>(SB), RODATA|NOPTR, $3

// func passBlocks(p *byte, n int, short *[256]byte) int
TEXT ·passBlocks(SB), NOSPLIT, $0-32
	MOVQ         p+0(FP), SI
	MOVQ         n+8(FP), CX
	MOVQ         short+16(FP), R8
	XORQ         DX, DX
	SUBQ         $33, CX         // 32 bytes of a block, and the letter of an escape at its end
	VPBROADCASTB bytes<>+0(SB), Y1
	VPBROADCASTB bytes<>+1(SB), Y2
	VPBROADCASTB bytes<>+2(SB), Y3

block:
	CMPQ      DX, CX
	JGT       end
	VMOVDQU   (SI)(DX*1), Y0
	VPCMPEQB  Y0, Y1, Y4
	VPCMPEQB  Y0, Y2, Y5
	VPMINUB   Y0, Y3, Y6     // min(byte, 0x1f), which equals the byte only if that is a control character
	VPCMPEQB  Y0, Y6, Y6
	VPOR      Y4, Y5, Y5
	VPOR      Y5, Y6, Y6
	VPMOVMSKB Y6, AX
	TESTL     AX, AX
	JNZ       found

next:
	ADDQ $32, DX
	JMP  block

	// BX is the offset of the first match in the block, R9 its offset from p.
found:
	BSFL    AX, BX
	LEAQ    (DX)(BX*1), R9
	CMPB    (SI)(R9*1), $0x5c
	JNE     stop
	MOVBLZX 1(SI)(R9*1), R10
	CMPB    (R8)(R10*1), $0
	JEQ     stop
	CMPL    BX, $31
	JEQ     over

	// Clear the match of the backslash, and that of its letter if it is a quote or a backslash.
	MOVL BX, R11
	BTRL R11, AX
	INCL R11
	BTRL R11, AX
	TESTL AX, AX
	JNZ  found
	JMP  next

	// The letter of the escape is the first byte of the next block.
over:
	ADDQ $33, DX
	JMP  block

stop:
	MOVQ R9, DX

end:
	VZEROUPPER
	MOVQ DX, ret+24(FP)
	RET

// func fillBlocks(dst, src *byte, n int, short *[256]byte) (wrote, read int)
TEXT ·fillBlocks(SB), NOSPLIT, $0-48
	MOVQ         dst+0(FP), DI
	MOVQ         src+8(FP), SI
	MOVQ         n+16(FP), CX
	MOVQ         short+24(FP), R8
	XORQ         DX, DX         // the offset of the block in src
	XORQ         BX, BX         // the number of bytes written
	SUBQ         $66, CX
	VPBROADCASTB bytes<>+1(SB), Y2

	// The bytes before the block have been copied.
block:
	CMPQ      DX, CX
	JGT       end
	VMOVDQU   (SI)(DX*1), Y0
	VMOVDQU   Y0, (DI)(BX*1)
	VPCMPEQB  Y0, Y2, Y5
	VPMOVMSKB Y5, AX
	TESTL     AX, AX
	JNZ       first
	ADDQ      $32, DX
	ADDQ      $32, BX
	JMP       block

first:
	MOVQ DX, R9              // the bytes before R9 have been copied

	// R12 is the offset of the next backslash.
escape:
	BSFL    AX, R11
	LEAQ    (DX)(R11*1), R12
	MOVBLZX 1(SI)(R12*1), R10
	MOVBLZX (R8)(R10*1), R10
	TESTL   R10, R10
	JEQ     other
	VMOVDQU (SI)(R9*1), Y1
	VMOVDQU Y1, (DI)(BX*1)
	SUBQ    R9, BX
	ADDQ    R12, BX
	MOVB    R10, (DI)(BX*1)
	INCQ    BX
	LEAQ    2(R12), R9
	BTRL    R11, AX
	CMPL    R11, $31
	JEQ     rest
	INCL    R11
	BTRL    R11, AX
	TESTL   AX, AX
	JNZ     escape

rest:
	ADDQ    $32, DX
	CMPQ    R9, DX
	JGT     over
	VMOVDQU (SI)(R9*1), Y1
	VMOVDQU Y1, (DI)(BX*1)
	SUBQ    R9, BX
	ADDQ    DX, BX
	JMP     block

	// The letter of the last escape is the first byte of the next block.
over:
	MOVQ R9, DX
	JMP  block

	// Copy the bytes before an escape that is not a one-letter escape.
other:
	VMOVDQU (SI)(R9*1), Y1
	VMOVDQU Y1, (DI)(BX*1)
	SUBQ    R9, BX
	ADDQ    R12, BX
	MOVQ    R12, DX

end:
	VZEROUPPER
	MOVQ BX, wrote+32(FP)
	MOVQ DX, read+40(FP)
	RET
