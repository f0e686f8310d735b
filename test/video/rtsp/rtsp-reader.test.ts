import { describe, expect, test } from '@jest/globals';
import { RtspReader } from '../../../src/video/rtsp/rtsp-reader.ts';

/** What is read from these bytes, in pieces of `size`. */
function read(bytes: Buffer, size = bytes.length) {
  const packets: Buffer[] = [];
  const messages: string[] = [];
  const reader = new RtspReader({
    packets: (part) => packets.push(Buffer.from(part)),
    message: ({ first, headers, body }) => messages.push(`${first}|${headers.join('|')}|${body}`),
  });
  for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size));
  return { packets: Buffer.concat(packets).toString('latin1'), messages };
}

const packet = (text: string, channel = 0) =>
  Buffer.concat([Buffer.from([0x24, channel, 0, text.length]), Buffer.from(text)]);
const text = (words: string) => Buffer.from(words, 'latin1');
const REPLY = 'RTSP/1.0 200 OK\r\nCSeq: 3\r\nContent-Length: 4\r\n\r\nv=0\n';
const READ_REPLY = 'RTSP/1.0 200 OK|CSeq,3|Content-Length,4|v=0\n';

describe('an RTSP connection', () => {
  test.each([1, 2, 3, 5, 7, 1_000])('packets and messages are separated in pieces of %d bytes', (size) => {
    const packets = [packet('RTSP/1.0 302 Found\r\nLocation: x\r\n\r\n'), packet('$$$$$$$$$$', 1)];
    const bytes = Buffer.concat([text(REPLY), packets[0]!, text('\r\n'), packets[1]!, text(REPLY)]);
    expect(read(bytes, size)).toEqual({
      packets: Buffer.concat(packets).toString('latin1'),
      messages: [READ_REPLY, READ_REPLY],
    });
  });

  test('packets so short that ffmpeg would read them as text are left out', () => {
    const bytes = Buffer.concat([text(REPLY), packet('Locat'), packet('12345678'), packet('ion: x')]);
    expect(read(bytes).packets).toBe(packet('12345678').toString('latin1'));
  });

  test('other bytes between packets are left out, up to a limit', () => {
    const bytes = Buffer.concat([text(REPLY), text('ab\x00R%'), packet('12345678')]);
    expect(read(bytes, 2).packets).toBe(packet('12345678').toString('latin1'));
    expect(() => read(Buffer.concat([text(REPLY), Buffer.alloc(70_000)]))).toThrow('no RTSP');
  });

  test.each([
    ['a web server', 'HTTP/1.1 400 Bad Request\r\n\r\n'],
    ['another protocol', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['a head without end', `RTSP/1.0 200 OK\r\n${'a: b\r\n'.repeat(3_000)}`],
    ['a body of any length', 'RTSP/1.0 200 OK\r\nContent-Length: 99999999\r\n\r\n'],
    ['a length below nothing', 'RTSP/1.0 200 OK\r\nContent-Length: -1\r\n\r\n'],
  ])('%s causes an error', (_, words) => {
    expect(() => read(text(words))).toThrow();
  });
});
