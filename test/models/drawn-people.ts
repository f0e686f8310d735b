import sharp from 'sharp';
import type { Box, Letterbox } from '../../src/vision/types.ts';

/** A person drawn in plain shapes: proportions of a body, clothes, hair and skin. */
function person(x: number, y: number, height: number): string {
  const u = height / 8;
  const body = [
    `<path d="M${-u * 0.55},${u * 4} L${-u * 0.9},${height} L${-u * 0.3},${height} L0,${u * 4.5} L${u * 0.3},${height} L${u * 0.9},${height} L${u * 0.55},${u * 4} Z" fill="#2b2b45"/>`,
    `<path d="M${-u * 0.3},${u * 1.4} L${u * 0.3},${u * 1.4} L${u * 0.95},${u * 1.75} L${u * 1.2},${u * 4.2} L${u * 0.85},${u * 4.2} L${u * 0.65},${u * 2.6} L${u * 0.6},${u * 4.15} L${-u * 0.6},${u * 4.15} L${-u * 0.65},${u * 2.6} L${-u * 0.85},${u * 4.2} L${-u * 1.2},${u * 4.2} L${-u * 0.95},${u * 1.75} Z" fill="#8a2f2f"/>`,
    `<circle cx="${-u}" cy="${u * 4.35}" r="${u * 0.2}" fill="#d9a384"/><circle cx="${u}" cy="${u * 4.35}" r="${u * 0.2}" fill="#d9a384"/>`,
    `<ellipse cy="${u * 0.7}" rx="${u * 0.45}" ry="${u * 0.6}" fill="#d9a384"/>`,
    `<path d="M${-u * 0.48},${u * 0.7} C${-u * 0.6},${-u * 0.1} ${u * 0.6},${-u * 0.1} ${u * 0.48},${u * 0.7} C${u * 0.35},${u * 0.3} ${-u * 0.35},${u * 0.3} ${-u * 0.48},${u * 0.7} Z" fill="#3a2618"/>`,
  ];
  return `<g transform="translate(${x},${y - height})">${body.join('')}</g>`;
}

const PICTURE = { width: 960, height: 540 };
export const PEOPLE: readonly Box[] = [
  [220, 480, 260],
  [640, 400, 190],
].map(([x, y, height]) => ({
  left: (x! - height! * 0.15) / PICTURE.width,
  top: (y! - height!) / PICTURE.height,
  right: (x! + height! * 0.15) / PICTURE.width,
  bottom: y! / PICTURE.height,
}));

export async function scene(
  inputWidth: number,
  inputHeight: number,
): Promise<{ pixels: Uint8Array; letterbox: Letterbox }> {
  const { width, height } = PICTURE;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="${width}" height="${height}" fill="#d8dbde"/><rect y="210" width="${width}" height="330" fill="#a39b8e"/>${person(220, 480, 260)}${person(640, 400, 190)}</svg>`;
  const contentHeight = Math.round((height * inputWidth) / width);
  const pixels = await sharp(Buffer.from(svg))
    .removeAlpha()
    .blur(0.6)
    .resize(inputWidth, contentHeight, { fit: 'fill' })
    .extend({ bottom: inputHeight - contentHeight, background: { r: 114, g: 114, b: 114 } })
    .raw()
    .toBuffer();
  return { pixels, letterbox: { inputWidth, inputHeight, contentWidth: inputWidth, contentHeight } };
}
