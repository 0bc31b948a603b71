//go:build !purego

// Without this assembly, recsign takes 2.1 times the processor time for Cyrillic, 2.2 times for
// Hangul, 1.4 times for Chinese and 1.2 times for French. Go code can replace it when package
// simd/archsimd is no longer experimental.

#include "go_asm.h"
#include "textflag.h"
#include "scan_amd64.h"

// func lookBoth(in *[mixedBytes]byte, two, three mask, t *table) (found mask)
TEXT ·lookBoth(SB), NOSPLIT, $0-40
	MOVQ  in+0(FP), SI
	MOVQ  two+8(FP), R8
	MOVQ  three+16(FP), R10
	MOVQ  t+24(FP), R11
	XORQ  R9, R9
	LEAQ  -TWOLESS(R11), DI
	TESTQ R8, R8
	JZ    twoEnd

twoBytes:
	TWO(R8, DI, R9)
	JNZ twoBytes

twoEnd:
	MOVQ  table_rest(R11), DI
	SUBQ  $THREELESS, DI
	TESTQ R10, R10
	JZ    threeEnd

threeBytes:
	THREE(R10, DI, R9)
	JNZ threeBytes

threeEnd:
	MOVQ R9, found+32(FP)
	RET

// BOUND writes the positions of the lowest set bits of R12 and R13, plus R8, to begin and end, and
// clears the bits.
#define BOUND(begin, end) \
	TZCNTQ R12, AX  \
	TZCNTQ R13, CX  \
	ADDL   R8, AX   \
	ADDL   R8, CX   \
	MOVL   AX, begin \
	MOVL   CX, end   \
	BLSRQ  R12, R12 \
	BLSRQ  R13, R13

// func foldMixed(dst *byte, beginTo, endTo *int32, src *byte, n int, at int32, inWord uint64, t *table) (done, begun, ended int, last uint64)
//
// Registers: SI is src, DI dst, DX beginTo, BX endTo, R8 at, R9 inWord, R10 the classes found, and
// R11 the mask of word bytes.
TEXT ·foldMixed(SB), NOSPLIT, $56-96
	MOVQ dst+0(FP), DI
	MOVQ beginTo+8(FP), DX
	MOVQ endTo+16(FP), BX
	MOVQ src+24(FP), SI
	MOVQ n+32(FP), AX
	MOVL at+40(FP), R8
	MOVQ inWord+48(FP), R9
	LIMITS
	ADDQ SI, AX
	SUBQ $const_mixedBytes, AX
	MOVQ AX, limit-8(SP) // last address at which a block may begin
	MOVQ t+56(FP), AX
	LEAQ -TWOLESS(AX), CX
	MOVQ CX, two-16(SP)
	MOVQ table_rest(AX), CX
	SUBQ $THREELESS, CX
	MOVQ CX, three-24(SP)

block:
	CMPQ    SI, limit-8(SP)
	JA      end
	VMOVDQU (SI), Y0
	VMOVDQU 32(SI), Y1
	HALF(Y0, (DI), R11)
	HALF(Y1, 32(DI), R12)
	SHLQ    $32, R12
	ORQ     R12, R11
	BITS(R12)
	TESTQ   R12, R12
	JZ      end          // the block is all ASCII
	BITS(R13)
	BITS(R14)
	BITS(R15)
	ANDNQ   R12, R13, CX // continuation bytes
	ANDQ    R12, R13     // first bytes of code points
	ANDQ    R13, R14     // first bytes of three-byte and four-byte code points
	ANDQ    R14, R15
	JNZ     end          // a code point of four bytes

	// The code points that begin in the first 61 bytes are valid if the continuation bytes are
	// exactly where their first bytes require them.
	MOVQ $((1<<const_startBytes) - 1), AX
	ANDQ AX, R13
	ANDQ AX, R14
	LEAQ (R13)(R13*1), R12
	LEAQ (R12)(R14*4), R12 // the two masks have no bits in common
	ORQ  R12, AX
	XORQ R12, CX
	ANDQ AX, CX
	JNZ  end               // invalid UTF-8
	MOVQ AX, all-32(SP)
	MOVQ R13, lead-40(SP)
	MOVQ R14, lead3-48(SP)
	ANDQ AX, R11
	MOVQ R11, word-56(SP)

	XORQ  R10, R10
	XORQ  R14, R13
	JZ    twoEnd
	MOVQ  two-16(SP), R15

twoBytes:
	TWO(R13, R15, R10)
	JNZ twoBytes

twoEnd:
	MOVQ  three-24(SP), R15
	TESTQ R14, R14
	JZ    threeEnd

threeBytes:
	THREE(R14, R15, R10)
	JNZ threeBytes

threeEnd:
	MOVQ  lead-40(SP), R13
	MOVQ  lead3-48(SP), R14
	MOVQ  R10, R12
	SHRQ  $1, R12
	ANDQ  R13, R12
	JNZ   change

lower:
	MOVQ  R10, R15
	SHRQ  $2, R15
	ANDQ  R14, R15          // characters that are words of their own
	ANDQ  R13, R10          // first bytes of letters
	ORQ   R10, R11
	ANDQ  R10, R14
	ADDQ  R10, R10
	ORQ   R10, R11
	SHLQ  $2, R14
	ORQ   R14, R11

	// Words begin and end where the mask of word bytes changes, and before and after each character
	// that is a word of its own.
	MOVQ  all-32(SP), R10
	LEAQ  (R9)(R11*2), R14
	ANDNQ R11, R14, R12
	ORQ   R15, R12
	ANDNQ R14, R11, R13
	SHLQ  $3, R15
	ORQ   R15, R13
	ANDQ  R10, R13
	POPCNTQ R12, R14
	POPCNTQ R13, R15
	POPCNTQ R10, R10            // number of bytes folded

	// A word that is still open either may continue in the next bytes or ends after the last byte.
	ADDQ  R14, R9
	SUBQ  R15, R9
	LEAQ  -1(R10), AX
	SHRXQ AX, R11, R11
	ANDQ  $1, R11
	XORQ  R11, R9
	LEAQ  (DX)(R14*8), R14
	LEAQ  (BX)(R15*8), R15
	JMP   more

bound:
	BOUND(0(DX), 0(BX))
	BOUND(8(DX), 8(BX))
	BOUND(16(DX), 16(BX))
	BOUND(24(DX), 24(BX))
	ADDQ $32, DX
	ADDQ $32, BX

more:
	MOVQ R12, AX
	ORQ  R13, AX
	JNZ  bound
	MOVQ R14, DX
	ADDL R10, R8
	MOVL R8, (R15)
	LEAQ (R15)(R9*8), BX
	MOVQ R11, R9
	ADDQ R10, SI
	ADDQ R10, DI
	JMP  block

change:
	TESTQ R14, R12
	JNZ   end       // a code point of three bytes has another lower case
	MOVQ  two-16(SP), R15

changes:
	TZCNTQ  R12, CX
	MOVBLZX (SI)(CX*1), AX
	MOVBLZX 1(SI)(CX*1), R11
	SHLL    $6, AX
	ADDL    R11, AX
	MOVWLZX (table_lower-TWOLESS)(R15)(AX*2), AX
	TESTL   AX, AX
	JZ      end    // the lower case does not have two bytes
	MOVW    AX, (DI)(CX*1)
	BLSRQ   R12, R12
	JNZ     changes
	MOVQ    word-56(SP), R11
	JMP     lower

end:
	VZEROUPPER
	SUBQ src+24(FP), SI
	MOVQ SI, done+64(FP)
	SUBQ beginTo+8(FP), DX
	SHRQ $3, DX
	MOVQ DX, begun+72(FP)
	SUBQ endTo+16(FP), BX
	SHRQ $3, BX
	MOVQ BX, ended+80(FP)
	MOVQ R9, last+88(FP)
	RET
