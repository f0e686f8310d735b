/** Enough for the signature of every container, and for two packets of MPEG-TS. */
export const BEGINNING_BYTES = 512;

const TS_PACKET_BYTES = 188;
const TS_SYNC = 0x47;
const PLAYLIST_TYPE = /^(?:application|audio)\/(?:vnd\.apple\.|x-)?mpegurl/i;
const VIDEO_TYPE = /^(?:video\/|multipart\/x-mixed-replace)/i;
const PAGE_TYPE = /^(?:text\/html|application\/(?:xhtml\+xml|json|problem\+json))/i;

/** What an HTTP response carries. `other`: certainly no video. `unknown`: not known yet. */
export type HttpContent = 'video' | 'playlist' | 'audio' | 'other' | 'unknown';

/** What the Content-Type header says. */
export function contentByType(contentType: string): HttpContent {
  if (PLAYLIST_TYPE.test(contentType)) return 'playlist';
  if (VIDEO_TYPE.test(contentType)) return 'video';
  if (/^audio\//i.test(contentType)) return 'audio';
  return PAGE_TYPE.test(contentType) ? 'other' : 'unknown';
}

/** What the first bytes say: containers have signatures. */
export function contentByBeginning(beginning: Buffer): HttpContent {
  const text = beginning.toString('latin1');
  if (text.startsWith('#EXTM3U')) return 'playlist'; // HLS
  const isTransportStream = beginning[0] === TS_SYNC && beginning[TS_PACKET_BYTES] === TS_SYNC;
  const hasSignature =
    text.startsWith('FLV') ||
    text.startsWith('\xff\xd8\xff') || // JPEG
    text.startsWith('\x1a\x45\xdf\xa3') || // Matroska, WebM
    /^(?:ftyp|styp|moof)$/.test(text.slice(4, 8)) || // MP4, whole or fragmented
    (text.startsWith('--') && /content-type: *image\/jpeg/i.test(text)); // a sequence of JPEGs
  if (isTransportStream || hasSignature) return 'video';
  return /^\s*</.test(text) ? 'other' : 'unknown';
}
