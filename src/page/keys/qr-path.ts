import encodeQR from 'qr';

/** A QR code as one path: a square for each dark module, with the quiet edge that scanners need. */
export interface QrPath {
  /** Width and height in modules. */
  readonly size: number;
  readonly path: string;
}

const QUIET_MODULES = 4;

export function qrPath(text: string): QrPath {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: QUIET_MODULES });
  const path = rows
    .map((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')).join(''))
    .join('');
  return { size: rows.length, path };
}
