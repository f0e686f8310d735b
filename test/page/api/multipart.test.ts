import { describe, expect, test } from '@jest/globals';
import { Part } from '../../../src/http/part.ts';
import { readLivePicture } from '../../../src/page/api/live-picture.ts';
import {
  boundaryOf,
  MultipartError,
  type MultipartPart,
  MultipartReader,
} from '../../../src/page/api/multipart.ts';
import { fc } from '../../support/property.ts';

const BOUNDARY = 'part-1';
const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));
const written = (bodies: readonly Uint8Array[], headers: Record<string, string> = {}): Uint8Array =>
  Buffer.concat([
    Buffer.from(`--${BOUNDARY}`),
    ...bodies.flatMap((body) => {
      const all = { 'Content-Type': 'image/jpeg', 'Content-Length': String(body.length), ...headers };
      const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
      return [Buffer.from(`\r\n${lines.join('')}\r\n`), body, Buffer.from(`\r\n--${BOUNDARY}`)];
    }),
    Buffer.from('--\r\n'),
  ]);

/** Sends the bytes in pieces that end at these places. */
function read(bytes: Uint8Array, cuts: readonly number[] = [], limits = {}) {
  const reader = new MultipartReader(BOUNDARY, limits);
  const places = [0, ...[...cuts].sort((a, b) => a - b), bytes.length];
  const parts: MultipartPart[] = [];
  for (let at = 1; at < places.length; at++)
    parts.push(...reader.push(bytes.subarray(places[at - 1], places[at])));
  return { parts, reader };
}

describe('a multipart answer', () => {
  test('gives the same parts, wherever its bytes are cut and whatever they are', () => {
    const body = fc.oneof(
      fc.uint8Array({ maxLength: 60 }),
      // Bodies that contain the boundary, or its beginning.
      fc.constantFrom(`\r\n--${BOUNDARY}--\r\n`, `--${BOUNDARY}\r\n`, '\r\n--part', '\r\n\r\n').map(bytesOf),
    );
    fc.assert(
      fc.property(fc.array(body, { maxLength: 5 }), fc.array(fc.nat(), { maxLength: 12 }), (bodies, cuts) => {
        const bytes = written(bodies, { 'X-Name': 'a: b' });
        const { parts, reader } = read(
          bytes,
          cuts.map((cut) => cut % (bytes.length + 1)),
        );
        expect(parts.map((part) => [...part.body])).toEqual(bodies.map((each) => [...each]));
        for (const { headers } of parts) expect(headers.get('x-name')).toBe('a: b');
        expect(reader.hasEnded).toBe(true);
      }),
    );
  });

  test('gives a part as soon as the boundary behind it was read', () => {
    const bytes = written([bytesOf('abc')]);
    const { parts } = read(bytes.subarray(0, bytes.length - 4));
    expect(parts).toHaveLength(1);
    expect(read(bytes.subarray(0, bytes.length - 5)).parts).toHaveLength(0);
  });

  test('is read as the service writes it', () => {
    const { bytes } = new Part('image/jpeg', Buffer.from('jpeg'), {
      'X-Captured-At': '2026-01-01T00:00:00.000Z',
    });
    const boundary = /--(part-[0-9a-f-]{36})\r\n$/.exec(bytes.toString('latin1'))![1]!;
    const reader = new MultipartReader(boundary);
    const [part] = reader.push(Buffer.concat([Buffer.from(`--${boundary}\r\n`), bytes]));
    expect(Buffer.from(part!.body).toString()).toBe('jpeg');
    expect(part!.headers.get('x-captured-at')).toBe('2026-01-01T00:00:00.000Z');
  });

  test.each([
    ['a page instead of parts', '<!doctype html>'],
    ['another boundary', '--part-2\r\n'],
    ['text behind a boundary', '--part-1 more\r\n'],
    ['no length', '--part-1\r\nContent-Type: a\r\n\r\n'],
    ['a negative length', '--part-1\r\nContent-Length: -1\r\n\r\n'],
    ['a length that is no number', '--part-1\r\nContent-Length: 1e3\r\n\r\n'],
    ['a length that is too long a number', '--part-1\r\nContent-Length: 9999999999999\r\n\r\n'],
    ['a part that is longer than it says', '--part-1\r\nContent-Length: 2\r\n\r\nabc\r\n--part-1'],
    ['a part that is shorter than it says', '--part-1\r\nContent-Length: 9\r\n\r\nabc\r\n--part-1--\r\n'],
    ['a header without name', '--part-1\r\n: x\r\n\r\n'],
    ['a header without colon', '--part-1\r\nContent-Length\r\n\r\n'],
  ])('is refused with %s', (_, text) => {
    expect(() => read(bytesOf(text))).toThrow(MultipartError);
  });

  test('keeps no more than its limits allow', () => {
    const limits = { headerBytes: 100, bodyBytes: 1_000 };
    expect(read(written([new Uint8Array(1_000)]), [], limits).parts).toHaveLength(1);
    expect(() => read(written([new Uint8Array(1_001)]), [], limits)).toThrow('1001 bytes');
    expect(() => read(bytesOf(`--${BOUNDARY}\r\nX-A: ${'a'.repeat(200)}`), [], limits)).toThrow('too long');
  });

  test('never fails otherwise than with its own error, whatever comes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(), (noise, cut) => {
        const bytes = Buffer.concat([Buffer.from(`--${BOUNDARY}\r\nContent-Length: 3\r\n`), noise]);
        try {
          read(bytes, [cut % bytes.length]);
        } catch (error) {
          expect(error).toBeInstanceOf(MultipartError);
        }
      }),
    );
  });
});

test.each([
  ['multipart/x-mixed-replace; boundary=part-1', 'part-1'],
  ['Multipart/X-Mixed-Replace;boundary="a b"', 'a b'],
  ['multipart/x-mixed-replace', null],
  ['multipart/x-mixed-replace; boundary=', null],
  ['application/json', null],
  [null, null],
])('the boundary of %p is %p', (type, boundary) => expect(boundaryOf(type)).toBe(boundary));

describe('a live picture', () => {
  const partOf = (headers: Record<string, string>): MultipartPart => ({
    body: bytesOf('jpeg'),
    headers: new Map(
      Object.entries({
        'content-type': 'image/jpeg',
        'x-captured-at': '2026-01-31T08:00:00.000Z',
        ...headers,
      }),
    ),
  });
  const tracksOf = (text: string) => readLivePicture(partOf({ 'x-tracks': text }))!.tracks;

  test('has the people of its frame by scene', () => {
    const picture = readLivePicture(
      partOf({
        'x-live': 'stills',
        'x-tracks': '{"a":[[7,"queue",0.1,0.2,0.3,0.4],[8,null,0,0,1,1]],"b":[]}',
      }),
    )!;
    expect([picture.capturedAtMs, picture.isStill]).toEqual([Date.UTC(2026, 0, 31, 8), true]);
    expect(picture.tracks.get('a')).toEqual([
      { id: 7, zone: 'queue', left: 0.1, top: 0.2, right: 0.3, bottom: 0.4 },
      { id: 8, zone: null, left: 0, top: 0, right: 1, bottom: 1 },
    ]);
    expect(picture.tracks.get('b')).toEqual([]);
  });

  test.each(['', 'no json', '[]', 'null', '{"a":7}', '{"a":[[1,2,3]]}', '{"a":[[1,null,"0",0,1,1]]}'])(
    'is shown without boxes that cannot be read: %p',
    (text) => expect([...tracksOf(text).values()].flat()).toEqual([]),
  );

  test('has the staff of its frame by scene, with the reason', () => {
    const staffOf = (text: string) => readLivePicture(partOf({ 'x-staff': text }))!.staff;
    const box = { left: 0.1, top: 0.2, right: 0.3, bottom: 0.4 };
    expect(staffOf('{"a":[[7,"stays_at_till",0.1,0.2,0.3,0.4],[8,"?",0.1,0.2,0.3,0.4]]}').get('a')).toEqual([
      { id: 7, reason: 'stays_at_till', ...box },
      { id: 8, reason: 'staff_zone', ...box },
    ]);
    expect(readLivePicture(partOf({}))!.staff.size).toBe(0);
    expect([...staffOf('{"a":[[1,2,3]]}').values()].flat()).toEqual([]);
  });

  test('keeps boxes inside the picture, and none without an area', () => {
    expect(tracksOf('{"a":[[1,null,-1,0.5,2,0.6],[2,null,0.5,0.5,0.5,0.9]]}').get('a')).toEqual([
      { id: 1, zone: null, left: 0, top: 0.5, right: 1, bottom: 0.6 },
    ]);
  });

  test.each<[string, Record<string, string>]>([
    ['another type', { 'content-type': 'text/html' }],
    ['no time', { 'x-captured-at': 'soon' }],
  ])('is no picture with %s', (_, headers) => expect(readLivePicture(partOf(headers))).toBeNull());
});
