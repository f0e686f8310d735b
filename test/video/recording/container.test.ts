import { expect, test } from '@jest/globals';
import { CONTAINERS, containerOf, demuxerOf } from '../../../src/video/recording/container.ts';
import { fc } from '../../support/property.ts';

const box = (type: string, brand = '') => Buffer.from(`\0\0\0\x18${type}${brand}`, 'latin1');
const ebml = (docType: string, before = '') =>
  Buffer.from(
    `\x1a\x45\xdf\xa3\x9f${before}\x42\x82${String.fromCharCode(0x80 + docType.length)}${docType}`,
    'latin1',
  );

/** Six packets of a transport stream. @param lead bytes of each before its sync byte */
const packets = (size: number, lead = 0) => {
  const packet = Buffer.alloc(size, 1);
  packet[lead] = 0x47;
  return Buffer.concat(Array.from({ length: 6 }, () => packet));
};

test.each([
  ['an MP4', box('ftyp', 'isom'), 'mp4'],
  ['a fragmented MP4', box('ftyp', 'iso5'), 'mp4'],
  ['a QuickTime file', box('ftyp', 'qt  '), 'mov'],
  ['an old QuickTime file', box('mdat'), 'mov'],
  ['a Matroska file', ebml('matroska'), 'mkv'],
  ['a WebM', ebml('webm', '\x42\x86\x81\x01'), 'webm'],
  ['an EBML of another kind', ebml('other'), null],
  ['an AVI', Buffer.from('RIFF\0\0\0\0AVI LIST'), 'avi'],
  ['a WAV', Buffer.from('RIFF\0\0\0\0WAVEfmt '), null],
  ['an MPEG-TS', packets(188), 'mpegts'],
  ['an MPEG-TS that begins in the middle of a packet', packets(188).subarray(100), 'mpegts'],
  ['an MPEG-TS with a time before each packet', packets(192, 4), 'mpegts'],
  ['an MPEG-TS with a checksum after each packet', packets(204), 'mpegts'],
  ['less than four packets', packets(188).subarray(0, 3 * 188), null],
  ['an MPEG-PS', Buffer.from('\0\0\x01\xba\x44\0', 'latin1'), 'mpegps'],
  [
    'an MPEG-PS with the head of a recorder',
    Buffer.from(`IMKH${'\0'.repeat(36)}\0\0\x01\xba`, 'latin1'),
    'mpegps',
  ],
  ['the head of a recorder alone', Buffer.from('IMKH and nothing else'), null],
  ['a playlist that names other files', Buffer.from('#EXTM3U\nfile:///etc/passwd'), null],
  ['a list of files for ffmpeg', Buffer.from("ffconcat version 1.0\nfile '/etc/passwd'"), null],
  ['a JPEG', Buffer.from('\xff\xd8\xff\xe0', 'latin1'), null],
  ['nothing', Buffer.alloc(0), null],
])('%s', (_what, bytes, expected) => {
  expect(containerOf(bytes)).toBe(expected);
});

test('any bytes are either a known container or none', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 1200 }), (bytes) => {
      expect([...CONTAINERS, null]).toContain(containerOf(bytes));
    }),
  );
});

test('ffmpeg reads each container with its own demuxer', () => {
  expect(CONTAINERS.map(demuxerOf)).toEqual([
    ...['mov', 'mov', 'matroska', 'matroska'],
    ...['avi', 'mpeg', 'mpegts'],
  ]);
});
