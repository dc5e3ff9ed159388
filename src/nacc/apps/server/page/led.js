// An LED sign of 5 × 7 dots a letter, drawn dot by dot.

const ROWS = 7;
const GLYPHS = Object.fromEntries(`
A0E11111F111111 B1E11111E11111E C0E11101010110E D1E11111111111E E1F10101E10101F F1F10101E101010
G0E11101711110E H1111111F111111 I0E04040404040E J0702020202120C K11121418141211 L1010101010101F
M111B1515111111 N11191513111111 O0E11111111110E P1E11111E101010 Q0E11111115120D R1E11111E141211
S0F10100E01011E T1F040404040404 U1111111111110E V11111111110A04 W11111115151B11 X110A0404040A11
Y11110A04040404 Z1F01020408101F 00E11131519110E 1040C040404040E 20E11010608101F 31E01010E01011E
402060A121F0202 51F101E0101110E 60608101E11110E 71F010204080808 80E11110E11110E 90E11110F01020C
.00000000000C0C ,000000000C0408 :000C0C000C0C00 ;000C0C000C0408 !04040404040004 ?0E110102040004
'04040800000000 "0A0A0A00000000 -0000000E000000 /01010204081010 (02040808080402 )08040202020408
&0C12140815120D %18190204081303 $040F140E051E04 €06091C081C0906 £0609081C08081F +0004041F040400
=00001F001F0000 #0A0A1F0A1F0A0A @0E11171517100E *00150E1F0E1500 _0000000000001F`
  .trim().split(/\s+/).map((glyph) => [glyph[0], glyph.slice(1)]));
const UNKNOWN = "1F11111111111F";
const ALIKE = { "’": "'", "‘": "'", "“": '"', "”": '"', "«": '"', "»": '"', "–": "-", "—": "-", "…": "." };

/** The text in letters the sign has, or at least one letter each. */
export const lettering = (text) => [...text.normalize("NFD").replace(/\p{M}/gu, "")]
  .map((letter) => ALIKE[letter] || (letter.toUpperCase().length === 1 ? letter.toUpperCase() : letter))
  .join("");

/** Light the dots of one line of `columns` letters, on a sign `width` pixels wide. */
export function draw(canvas, text, columns, width) {
  const across = columns * 6 + 1;
  const down = ROWS + 4;
  const pitch = width / across;
  const sharp = window.devicePixelRatio || 1;
  canvas.width = width * sharp;
  canvas.height = down * pitch * sharp;
  canvas.style.width = `${width}px`;
  canvas.style.height = `${down * pitch}px`;
  const pen = canvas.getContext("2d");
  pen.scale(sharp, sharp);
  for (let y = 0; y < down; y += 1) {
    for (let x = 0; x < across; x += 1) {
      const lit = isLit(text, x - 1, y - 2);
      pen.fillStyle = lit ? "#ffb21a" : "#2a2521";
      pen.beginPath();
      pen.arc((x + 0.5) * pitch, (y + 0.5) * pitch, pitch * (lit ? 0.46 : 0.3), 0, 7);
      pen.fill();
    }
  }
}

function isLit(text, x, y) {
  const letter = text[Math.floor(x / 6)];
  if (!letter || letter === " " || x < 0 || y < 0 || y >= ROWS || x % 6 === 5) return false;
  const bits = parseInt((GLYPHS[letter] || UNKNOWN).slice(y * 2, y * 2 + 2), 16);
  return Boolean(bits & (16 >> (x % 6)));
}
