import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { answerChallenge, challengesIn } from '../../../src/platform/network/credentials.ts';

const md5 = (...parts: string[]) => createHash('md5').update(parts.join(':')).digest('hex');
const request = { method: 'DESCRIBE', uri: 'rtsp://10.0.0.8/live' };
const responseTo = (user: string, realm: string, password: string, nonce: string) =>
  md5(md5(user, realm, password), nonce, md5(request.method, request.uri));

describe('the quoted strings of a Digest challenge', () => {
  test.each([
    ['a quote', String.raw`Camera \"Till 3\"`, 'Camera "Till 3"'],
    ['a backslash', String.raw`SHOP\\cameras`, String.raw`SHOP\cameras`],
    ['a needless backslash', String.raw`Sh\op`, 'Shop'],
    ['a comma and the name of another kind', 'Shop, Basic realm', 'Shop, Basic realm'],
    ['nothing', '', ''],
  ])('are read with %s in them', (_, written, realm) => {
    const header = `Digest realm="${written}", nonce="n\\"1", algorithm=MD5`;
    const answer = answerChallenge(challengesIn(header), { user: 'u"1', password: 'p"1' }, request)!;
    expect(answer).toContain(`response="${responseTo('u"1', realm, 'p"1', 'n"1')}"`);
    // They are written as they must be.
    const sent = /realm="((?:[^"\\]|\\.)*)", nonce="((?:[^"\\]|\\.)*)"/.exec(answer)!;
    expect(sent.slice(1).map((text) => text.replace(/\\(.)/g, '$1'))).toEqual([realm, 'n"1']);
  });

  test('do not end a challenge of several', () => {
    expect(challengesIn('Digest realm="a, Digest b", nonce="1", Basic realm="c \\", basic d"')).toEqual([
      'Digest realm="a, Digest b", nonce="1"',
      'Basic realm="c \\", basic d"',
    ]);
    expect(challengesIn('Basic realm="a"')).toEqual(['Basic realm="a"']);
    expect(challengesIn('')).toEqual(['']);
  });
});
