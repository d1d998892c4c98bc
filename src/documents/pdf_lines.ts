/** The lines of one page of a PDF from its pieces of text, which know where they stand and not what separates them. */

export interface PdfPiece {
  readonly str: string;
  readonly hasEOL: boolean;
  /** The last two are the place of the piece's start on the page. */
  readonly transform: readonly number[];
  readonly width: number;
  readonly height: number;
}

/** Narrower gaps are those between the letters of a word. */
const gapShare = 0.2;

/** Pieces in the order of the page, with a space where a gap or a jump is and no blank was written. */
export function joinPieces(pieces: readonly PdfPiece[]): string {
  let text = "";
  let before: PdfPiece | null = null;
  for (const piece of pieces) {
    if (before !== null && !before.hasEOL && isApart(before, piece)) text += " ";
    text += piece.str;
    if (piece.hasEOL) text += "\n";
    if (piece.str !== "" || piece.hasEOL) before = piece;
  }
  return text;
}

function isApart(before: PdfPiece, piece: PdfPiece): boolean {
  if (/\s$/.test(before.str) || /^\s/.test(piece.str) || piece.str === "") return false;
  const gap = (piece.transform[4] ?? 0) - (before.transform[4] ?? 0) - before.width;
  const size = Math.max(before.height, piece.height, 1);
  return gap > gapShare * size || gap < -size;
}
