/** The containers that a recording may have. `mpegps` and `mpegts` are the program and transport streams of MPEG. */
export const CONTAINERS = ['mp4', 'mov', 'mkv', 'webm', 'avi', 'mpegps', 'mpegts'] as const;
export type Container = (typeof CONTAINERS)[number];

/** Bytes that are enough to recognise a container: four packets of a transport stream, also if its beginning was cut off. */
export const SIGNATURE_BYTES = 1024;

const EBML = '\x1a\x45\xdf\xa3';
/** The element DocType of an EBML header: its id, its length and its text. */
const DOC_TYPE = /\x42\x82[\x80-\xff](webm|matroska)/;
const DOC_TYPE_WITHIN = 64;
/** Boxes with which a QuickTime file may begin that has no `ftyp`. */
const OLD_QUICKTIME = /^(?:moov|mdat|wide|free|skip|pnot)$/;
/** With which each pack of a program stream begins. */
const PACK = '\0\0\x01\xba';
/** Some recorders write a head of their own before the first pack. */
const RECORDER_HEAD = 'IMKH';
/** Sizes of the packets of a transport stream: plain, with a time before each, with a checksum after each. */
const TS_PACKETS = [188, 192, 204];
const TS_SYNC = 0x47;
const TS_FEWEST_PACKETS = 4;

/** The container, as the first bytes of a file say; its name says nothing. @returns null for any other content */
export function containerOf(beginning: Uint8Array): Container | null {
  const bytes = Buffer.from(beginning.subarray(0, SIGNATURE_BYTES));
  const text = bytes.toString('latin1');
  if (text.startsWith(EBML)) {
    const docType = DOC_TYPE.exec(text.slice(0, DOC_TYPE_WITHIN))?.[1];
    if (docType === undefined) return null;
    return docType === 'webm' ? 'webm' : 'mkv';
  }
  const box = text.slice(4, 8);
  if (box === 'ftyp') return text.slice(8, 12) === 'qt  ' ? 'mov' : 'mp4';
  if (OLD_QUICKTIME.test(box)) return 'mov';
  if (text.startsWith('RIFF') && text.slice(8, 12) === 'AVI ') return 'avi';
  if (text.startsWith(PACK) || (text.startsWith(RECORDER_HEAD) && text.includes(PACK))) return 'mpegps';
  return TS_PACKETS.some((size) => isInPackets(bytes, size)) ? 'mpegts' : null;
}

/** Whether all packets of this size begin as those of a transport stream do. */
function isInPackets(bytes: Buffer, size: number): boolean {
  for (let start = 0; start < size; start++) {
    let packets = 0;
    let at = start;
    for (; at < bytes.length && bytes[at] === TS_SYNC; at += size) packets++;
    if (at >= bytes.length && packets >= TS_FEWEST_PACKETS) return true;
  }
  return false;
}

/**
 * The demuxer of ffmpeg for each container. It is named to ffmpeg, because otherwise ffmpeg chooses by the content, and some of
 * its formats open other files.
 */
const DEMUXERS = {
  ...{ mp4: 'mov', mov: 'mov', mkv: 'matroska', webm: 'matroska' },
  ...{ avi: 'avi', mpegps: 'mpeg', mpegts: 'mpegts' },
} as const satisfies Record<Container, string>;

export const demuxerOf = (container: Container): (typeof DEMUXERS)[Container] => DEMUXERS[container];

/** Whether a file of this demuxer says where its key frames are. */
export const isIndexed = (demuxer: string): boolean => demuxer !== 'mpeg' && demuxer !== 'mpegts';

/** The demuxers of recordings. A file of a user could otherwise be a playlist that names files of this machine. */
export const RECORDED_FORMATS = [...new Set(Object.values(DEMUXERS))].join();
