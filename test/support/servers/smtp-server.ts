import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { makeCertificate } from '../../../scripts/webhook-receiver/certificate.ts';
import { type ReadMail, readMail } from './read-mail.ts';

/** A mail that the server has taken. */
export interface ArrivedMail extends ReadMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly isEncrypted: boolean;
  /** The name that logged in; null for nobody. */
  readonly user: string | null;
  readonly raw: string;
}

/** Where in the conversation a reply is given. */
type Step = 'greeting' | 'sender' | 'recipient' | 'data';

/** What the server does with the next conversations. */
export type Behaviour =
  | 'accept'
  /** It says nothing more from this step on. */
  | { readonly hangAt: Step }
  | { readonly refuseAt: Step; readonly code: number; readonly words?: string }
  /** It closes the connection; at `data` after it has taken the whole mail and without an answer. */
  | { readonly breakOffAt: Step };

export interface TestSmtpServer {
  readonly port: number;
  /** For SMTP_URL. */
  readonly url: string;
  /** For SMTP_CA_FILE. */
  readonly caFile: string;
  /** What came and was accepted, in order. */
  readonly mails: ArrivedMail[];
  /** How many mails came, also those that were not accepted. */
  readonly attempts: number;
  behaviour: Behaviour;
  stop(): Promise<void>;
}

export interface TestSmtpOptions {
  /** Whether it offers STARTTLS; default true. */
  readonly hasTls?: boolean;
  readonly login?: { readonly user: string; readonly pass: string };
}

/** A mail server on loopback that answers, refuses, hangs or breaks off as the test says. */
export async function testSmtpServer({
  hasTls = true,
  login,
}: TestSmtpOptions = {}): Promise<TestSmtpServer> {
  const folder = mkdtempSync(join(tmpdir(), 'smtp-'));
  const caFile = join(folder, 'certificate.pem');
  const { key, certificate } = await makeCertificate();
  writeFileSync(caFile, certificate);
  const sockets = new Set<Socket>();
  const mails: ArrivedMail[] = [];
  let attempts = 0;

  /** Answers a step, or does not. */
  const reply = (step: Step, done: (error?: Error) => void, accept: () => void = done) => {
    const { behaviour } = server;
    if (behaviour === 'accept') return accept();
    if ('hangAt' in behaviour && behaviour.hangAt === step) return;
    if ('breakOffAt' in behaviour && behaviour.breakOffAt === step) {
      for (const socket of sockets) socket.destroy();
      return;
    }
    if (!('refuseAt' in behaviour) || behaviour.refuseAt !== step) return accept();
    done(Object.assign(new Error(behaviour.words ?? 'no'), { responseCode: behaviour.code }));
  };

  const options: SMTPServerOptions = {
    key,
    cert: certificate,
    disabledCommands: hasTls ? [] : ['STARTTLS'],
    authOptional: login === undefined,
    allowInsecureAuth: !hasTls,
    disableReverseLookup: true,
    logger: false,
    closeTimeout: 1,
    onConnect: (_session, done) => reply('greeting', done),
    onMailFrom: (_address, _session, done) => reply('sender', done),
    onRcptTo: (_address, _session, done) => reply('recipient', done),
    onAuth({ username, password }, _session, done) {
      const isRight = username === login?.user && password === login?.pass;
      if (isRight) done(null, { user: username });
      else done(Object.assign(new Error('wrong password'), { responseCode: 535 }));
    },
    async onData(stream, session, done) {
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(chunk as Buffer);
      attempts += 1;
      reply('data', done, () => {
        const raw = Buffer.concat(chunks).toString('utf8');
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          ...readMail(raw),
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          isEncrypted: session.secure,
          user: session.user ?? null,
          raw,
        });
        done();
      });
    },
  };
  const smtp = new SMTPServer(options);
  // Clients break off too.
  smtp.on('error', () => undefined);
  smtp.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve));
  const { port } = smtp.server.address() as AddressInfo;
  const credentials = login ? `${encodeURIComponent(login.user)}:${encodeURIComponent(login.pass)}@` : '';
  const server: TestSmtpServer = {
    port,
    url: `smtp://${credentials}localhost:${port}`,
    caFile,
    mails,
    get attempts() {
      return attempts;
    },
    behaviour: 'accept',
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => smtp.close(resolve));
      await rm(folder, { recursive: true, force: true });
    },
  };
  return server;
}
