/** Enough for the signature of every container, and for three packets of MPEG-TS after a part of one. */
export const BEGINNING_BYTES = 816;

const PLAYLIST_TYPE = /^(?:application|audio)\/(?:vnd\.apple\.|x-)?mpegurl/i;
const JPEGS_TYPE = /^multipart\/x-mixed-replace/i;
export const TRANSPORT_STREAM_TYPE = /^video\/mp2t\b/i;
const PAGE_TYPE = /^(?:text\/html|application\/(?:xhtml\+xml|json|problem\+json))/i;

/**
 * What an HTTP response carries. `other`: certainly no video. `unknown`: not known yet. `not_as_typed`: it says that it is a
 * transport stream, by its type or its packets, and carries nothing, unless it is encrypted.
 */
export type HttpContent = 'video' | 'playlist' | 'audio' | 'other' | 'unknown' | 'not_as_typed';

/** What the Content-Type header says. Of any bytes a server may say that they are a video, so `video/…` alone proves nothing. */
export function contentByType(contentType: string): HttpContent {
  if (PLAYLIST_TYPE.test(contentType)) return 'playlist';
  if (JPEGS_TYPE.test(contentType)) return 'video';
  if (/^audio\//i.test(contentType)) return 'audio';
  return PAGE_TYPE.test(contentType) ? 'other' : 'unknown';
}

/** What the first bytes say: containers have signatures. Of a transport stream they show no video: see `TransportPackets`. */
export function contentByBeginning(beginning: Buffer): HttpContent {
  const text = beginning.toString('latin1');
  if (text.startsWith('#EXTM3U')) return 'playlist'; // HLS
  const hasSignature =
    text.startsWith('FLV') ||
    text.startsWith('\xff\xd8\xff') || // JPEG
    text.startsWith('\x1a\x45\xdf\xa3') || // Matroska, WebM
    /^(?:ftyp|styp|moof|moov|sidx|emsg|prft)$/.test(text.slice(4, 8)) || // MP4, whole or fragmented
    /^(?:00)?000001(?!00)/.test(beginning.toString('hex', 0, 5)) || // MPEG-PS, or H.264 and HEVC alone; no icon
    text.startsWith('OggS') ||
    /^RIFF.{4}AVI /s.test(text) ||
    (text.startsWith('--') && /content-type: *image\/jpeg/i.test(text)); // a sequence of JPEGs
  if (hasSignature) return 'video';
  return /^\s*</.test(text) ? 'other' : 'unknown';
}
