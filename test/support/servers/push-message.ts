import { createDecipheriv, createECDH, createPublicKey, hkdfSync, verify } from 'node:crypto';
import type { TestBrowser } from '../rows/channels.ts';
import type { Arrived } from './receiver.ts';

/** Decrypts a push message as a browser does (RFC 8188 and 8291). @throws Error when it is not for this browser */
export function decryptPush(
  body: Buffer,
  { subscription, privateKey }: TestBrowser,
): Record<string, unknown> {
  const salt = body.subarray(0, 16);
  const senderKey = body.subarray(21, 21 + body[20]!);
  const sealed = body.subarray(21 + body[20]!);
  const curve = createECDH('prime256v1');
  curve.setPrivateKey(privateKey);
  const shared = curve.computeSecret(senderKey);
  const auth = Buffer.from(subscription.auth, 'base64url');
  const receiverKey = Buffer.from(subscription.p256dh, 'base64url');
  const derive = (secret: Buffer, by: Buffer, info: Buffer | string, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, by, info, length));
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), receiverKey, senderKey]);
  const key = derive(shared, auth, info, 32);
  const decipher = createDecipheriv(
    'aes-128-gcm',
    derive(key, salt, 'Content-Encoding: aes128gcm\0', 16),
    derive(key, salt, 'Content-Encoding: nonce\0', 12),
  );
  decipher.setAuthTag(sealed.subarray(-16));
  const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
  // The last record ends with 2 and zeros.
  const end = padded.lastIndexOf(2);
  return JSON.parse(padded.subarray(0, end).toString('utf8')) as Record<string, unknown>;
}

/** The claims of a push message's signature (RFC 8292). @throws Error when it is not signed by this key */
export function readVapid({ headers }: Arrived, publicKey: string): Record<string, unknown> {
  const [, token = '', key] = /^vapid t=([^,]+), ?k=(\S+)$/.exec(headers.authorization ?? '') ?? [];
  if (key !== publicKey) throw new Error(`It is signed by ${key}`);
  const [head = '', claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(publicKey, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  const verifier = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: x!, y: y! }, format: 'jwk' });
  const signed = Buffer.from(`${head}.${claims}`);
  const given = Buffer.from(signature, 'base64url');
  if (!verify('sha256', signed, { key: verifier, dsaEncoding: 'ieee-p1363' }, given))
    throw new Error('The signature is wrong');
  return JSON.parse(Buffer.from(claims, 'base64url').toString('utf8')) as Record<string, unknown>;
}
