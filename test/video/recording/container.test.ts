import { expect, test } from '@jest/globals';
import { containerOf, demuxerOf } from '../../../src/video/recording/container.ts';
import { fc } from '../../support/property.ts';

const box = (type: string, brand = '') => Buffer.from(`\0\0\0\x18${type}${brand}`, 'latin1');
const ebml = (docType: string, before = '') =>
  Buffer.from(
    `\x1a\x45\xdf\xa3\x9f${before}\x42\x82${String.fromCharCode(0x80 + docType.length)}${docType}`,
    'latin1',
  );

test.each([
  ['an MP4', box('ftyp', 'isom'), 'mp4'],
  ['a fragmented MP4', box('ftyp', 'iso5'), 'mp4'],
  ['a QuickTime file', box('ftyp', 'qt  '), 'mov'],
  ['an old QuickTime file', box('mdat'), 'mov'],
  ['a Matroska file', ebml('matroska'), 'mkv'],
  ['a WebM', ebml('webm', '\x42\x86\x81\x01'), 'webm'],
  ['an EBML of another kind', ebml('other'), null],
  ['an AVI', Buffer.from('RIFF\0\0\0\0AVI LIST'), null],
  ['an MPEG-TS', Buffer.alloc(200, 0x47), null],
  ['a playlist that names other files', Buffer.from('#EXTM3U\nfile:///etc/passwd'), null],
  ['a list of files for ffmpeg', Buffer.from("ffconcat version 1.0\nfile '/etc/passwd'"), null],
  ['a JPEG', Buffer.from('\xff\xd8\xff\xe0', 'latin1'), null],
  ['nothing', Buffer.alloc(0), null],
])('%s', (_what, bytes, expected) => {
  expect(containerOf(bytes)).toBe(expected);
});

test('any bytes are either a known container or none', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      expect(['mp4', 'mov', 'mkv', 'webm', null]).toContain(containerOf(bytes));
    }),
  );
});

test('ffmpeg reads each container with its own demuxer', () => {
  expect((['mp4', 'mov', 'mkv', 'webm'] as const).map(demuxerOf)).toEqual([
    ...['mov', 'mov'],
    ...['matroska', 'matroska'],
  ]);
});
