/** The containers that a recording may have. */
export const CONTAINERS = ['mp4', 'mov', 'mkv', 'webm'] as const;
export type Container = (typeof CONTAINERS)[number];

/** Bytes that are enough to recognise a container. */
export const SIGNATURE_BYTES = 64;

const EBML = '\x1a\x45\xdf\xa3';
/** The element DocType of an EBML header: its id, its length and its text. */
const DOC_TYPE = /\x42\x82[\x80-\xff](webm|matroska)/;
/** Boxes with which a QuickTime file may begin that has no `ftyp`. */
const OLD_QUICKTIME = /^(?:moov|mdat|wide|free|skip|pnot)$/;

/** The container, as the first bytes of a file say; its name says nothing. @returns null for any other content */
export function containerOf(beginning: Uint8Array): Container | null {
  const text = Buffer.from(beginning.subarray(0, SIGNATURE_BYTES)).toString('latin1');
  if (text.startsWith(EBML)) {
    const docType = DOC_TYPE.exec(text)?.[1];
    if (docType === undefined) return null;
    return docType === 'webm' ? 'webm' : 'mkv';
  }
  const box = text.slice(4, 8);
  if (box === 'ftyp') return text.slice(8, 12) === 'qt  ' ? 'mov' : 'mp4';
  return OLD_QUICKTIME.test(box) ? 'mov' : null;
}

/**
 * The demuxer of ffmpeg for a container. It is named to ffmpeg, because otherwise ffmpeg chooses by the content, and some of its
 * formats open other files.
 */
export const demuxerOf = (container: Container): 'mov' | 'matroska' =>
  container === 'mp4' || container === 'mov' ? 'mov' : 'matroska';
