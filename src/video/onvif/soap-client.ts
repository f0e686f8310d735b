import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Credentials, challengesIn, type Login } from '../../platform/network/credentials.ts';
import type { NetworkGuard } from '../../platform/network/network-guard.ts';
import { cameraRequest } from '../camera-request.ts';
import { escapeXml, nodesAt, parseXml, type XmlNode } from './xml.ts';

/** The camera wants a login, or another one. */
export class NotAuthorized extends Error {}
/** The camera gave no answer that can be used. The message is one sentence for users. */
export class UselessAnswer extends Error {}

/** A longer answer ends the connection. */
const MOST_BYTES = 256 * 1024;
const REQUEST_MS = 4_000;

/**
 * Calls the ONVIF services of one camera. Every request goes to the address that the guard has checked, follows no redirect and
 * reads a bounded answer. The password itself is never sent: a camera gets a digest, in HTTP or in the message.
 */
export class SoapClient {
  readonly #guard: NetworkGuard;
  readonly #login: Login | null;
  readonly #signal: AbortSignal;
  readonly #credentials: Credentials;
  #hasToken = false;
  /** What to add to our clock to get the camera's. */
  clockOffsetMs = 0;

  constructor(guard: NetworkGuard, login: Login | null, signal: AbortSignal) {
    this.#guard = guard;
    this.#login = login;
    this.#signal = signal;
    this.#credentials = new Credentials(login);
  }

  /**
   * @param body content of the SOAP body
   * @returns the SOAP body of the answer
   * @throws NotAuthorized, UselessAnswer, RefusedAddress, an error of the connection
   */
  async call(url: URL, body: string): Promise<XmlNode> {
    for (let answered = 0; ; ) {
      const { status, headers, text } = await this.#send(url, body);
      const challenges = challengesIn(headers['www-authenticate'] ?? '').filter((each) =>
        /^digest/i.test(each),
      );
      if (status === 401 && this.#credentials.challenged(challenges, answered)) {
        answered++;
        continue;
      }
      const answer = readAnswer(status, text);
      if (answer !== null) return answer;
      if (this.#hasToken || answered > 0 || !this.#login) throw new NotAuthorized();
      this.#hasToken = true;
    }
  }

  async #send(url: URL, body: string) {
    const signal = AbortSignal.any([this.#signal, AbortSignal.timeout(REQUEST_MS)]);
    const authorization = this.#credentials.authorization({ method: 'POST', uri: url.pathname + url.search });
    const bytes = Buffer.from(this.#envelope(body));
    const headers = {
      'content-type': 'application/soap+xml; charset=utf-8',
      'content-length': bytes.length,
    };
    const request = await cameraRequest(this.#guard, url, { method: 'POST', headers, authorization, signal });
    return new Promise<Answer>((resolve, reject) => {
      request.on('error', reject);
      request.on('response', (response) => {
        read(response)
          .then(resolve, reject)
          .finally(() => request.destroy());
      });
      request.end(bytes);
    });
  }

  #envelope(body: string): string {
    const header = this.#hasToken && this.#login ? this.#token(this.#login) : '';
    return `<?xml version="1.0" encoding="UTF-8"?><s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope" xmlns:tds="http://www.onvif.org/ver10/device/wsdl" xmlns:trt="http://www.onvif.org/ver10/media/wsdl" xmlns:tt="http://www.onvif.org/ver10/schema"><s:Header>${header}</s:Header><s:Body>${body}</s:Body></s:Envelope>`;
  }

  /** WS-UsernameToken with a digest. Its time must be near that of the camera. */
  #token({ user, password }: Login): string {
    const nonce = randomBytes(16);
    const created = new Date(Date.now() + this.clockOffsetMs).toISOString();
    const digest = createHash('sha1').update(nonce).update(created).update(password).digest('base64');
    const wss = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss';
    return `<wsse:Security xmlns:wsse="${wss}-wssecurity-secext-1.0.xsd" xmlns:wsu="${wss}-wssecurity-utility-1.0.xsd"><wsse:UsernameToken><wsse:Username>${escapeXml(user)}</wsse:Username><wsse:Password Type="${wss}-username-token-profile-1.0#PasswordDigest">${digest}</wsse:Password><wsse:Nonce EncodingType="${wss}-soap-message-security-1.0#Base64Binary">${nonce.toString('base64')}</wsse:Nonce><wsu:Created>${created}</wsu:Created></wsse:UsernameToken></wsse:Security>`;
  }
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

async function read(response: IncomingMessage): Promise<Answer> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > MOST_BYTES) throw new UselessAnswer('Its answer is too long.');
    parts.push(part);
  }
  const { statusCode = 0, headers } = response;
  return { status: statusCode, headers, text: Buffer.concat(parts).toString('utf8') };
}

/** @returns the SOAP body; null when the camera refuses the login or wants one */
function readAnswer(status: number, text: string): XmlNode | null {
  if (status === 401 || status === 403) return null;
  let body: XmlNode;
  try {
    [body] = nodesAt(parseXml(text), 'Envelope', 'Body');
  } catch {
    body = undefined;
  }
  if (body === undefined) throw new UselessAnswer(`Its answer, with HTTP status ${status}, is not of ONVIF.`);
  const [fault] = nodesAt(body, 'Fault');
  if (fault === undefined) return body;
  if (/NotAuthorized|FailedAuthentication/i.test(JSON.stringify(fault))) return null;
  throw new UselessAnswer('It refuses the call.');
}
