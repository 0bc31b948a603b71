// Macros and constants shared by the functions that process blocks of 64 bytes.

// To test whether a byte is in a range, a number is added that moves the start of the range to
// -128, and the sum is compared, as a signed number, with -128 plus the length of the range.
DATA bytes<>+0(SB)/1, $0x20 // the bit that is set in lower case letters
DATA bytes<>+1(SB)/1, $0x1f // moves 'a' to -128
DATA bytes<>+2(SB)/1, $0x9a // -128+26
DATA bytes<>+3(SB)/1, $0x50 // moves '0' to -128
DATA bytes<>+4(SB)/1, $0x8a // -128+10
DATA bytes<>+5(SB)/1, $0x5f // '_'
GLOBL bytes<>(SB), RODATA|NOPTR, $6

// HALF folds the 32 bytes of x to out, and sets the bit in mask of each byte that is an ASCII
// letter, digit or underscore.
#define HALF(x, out, mask) \
	VPOR      Y8, x, Y2     \
	VPADDB    Y9, Y2, Y2    \
	VPCMPGTB  Y2, Y10, Y2   \
	VPADDB    Y11, x, Y3    \
	VPCMPGTB  Y3, Y12, Y3   \
	VPCMPEQB  Y13, x, Y4    \
	VPAND     Y8, Y2, Y5    \
	VPOR      Y5, x, Y5     \
	VMOVDQU   Y5, out       \
	VPOR      Y2, Y3, Y3    \
	VPOR      Y4, Y3, Y3    \
	VPMOVMSKB Y3, mask

// BITS collects the high bits of the 64 bytes in Y0 and Y1 in the register to, and shifts all bytes
// left by one bit, so that the next BITS collects the next bit of each byte. It overwrites AX.
#define BITS(to) \
	VPMOVMSKB Y0, to    \
	VPMOVMSKB Y1, AX    \
	SHLQ      $32, AX   \
	ORQ       AX, to    \
	VPADDB    Y0, Y0, Y0 \
	VPADDB    Y1, Y1, Y1

// LIMITS loads the constants that HALF needs into Y8 to Y13.
#define LIMITS \
	VPBROADCASTB bytes<>+0(SB), Y8  \
	VPBROADCASTB bytes<>+1(SB), Y9  \
	VPBROADCASTB bytes<>+2(SB), Y10 \
	VPBROADCASTB bytes<>+3(SB), Y11 \
	VPBROADCASTB bytes<>+4(SB), Y12 \
	VPBROADCASTB bytes<>+5(SB), Y13

// The code point encoded by the bytes a and b is 64a+b minus a constant for their marker bits, and
// three bytes have a similar formula. The constant is subtracted from the address of the table
// instead of from each code point.
#define TWOLESS (64*0xc0 + 0x80)
#define THREELESS (4096*0xe0 + 64*0x80 + 0x80)

// TWO adds to found the class of the code point of two bytes at the lowest set bit of m, and clears
// the bit. SI is the address of the block. TWO overwrites AX, CX and R12.
#define TWO(m, table, found) \
	TZCNTQ  m, CX           \
	MOVBLZX (SI)(CX*1), AX  \
	MOVBLZX 1(SI)(CX*1), R12 \
	SHLL    $6, AX          \
	ADDL    R12, AX         \
	MOVBLZX (table)(AX*1), AX \
	SHLXQ   CX, AX, AX      \
	ORQ     AX, found       \
	BLSRQ   m, m

// THREE is TWO for code points of three bytes.
#define THREE(m, table, found) \
	TZCNTQ  m, CX           \
	MOVBLZX (SI)(CX*1), AX  \
	MOVBLZX 1(SI)(CX*1), R12 \
	SHLL    $6, AX          \
	ADDL    R12, AX         \
	MOVBLZX 2(SI)(CX*1), R12 \
	SHLL    $6, AX          \
	ADDL    R12, AX         \
	MOVBLZX (table)(AX*1), AX \
	SHLXQ   CX, AX, AX      \
	ORQ     AX, found       \
	BLSRQ   m, m
