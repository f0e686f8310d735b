import { Readable } from 'node:stream';
import type { SecureContext } from 'node:tls';
import MailComposer from 'nodemailer/lib/mail-composer';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { Config } from '../config.ts';
import { trust } from '../network/trust.ts';
import { failureOf, MailFailure, type SmtpError } from './mail-failure.ts';
import type { MailSender, SmtpServer } from './smtp-url.ts';

export interface MailAttachment {
  readonly filename: string;
  readonly contentType: string;
  readonly content: Uint8Array | string;
  /** Shown inside the HTML, at `cid:<contentId>`. */
  readonly contentId?: string;
}

/** One e-mail to one address. */
export interface Mail {
  /** A checked address (`mailAddress`). */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly attachments?: readonly MailAttachment[];
  /** Further headers; line breaks in values become spaces. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Left side of the Message-ID. The same for each attempt, so that mail programs recognise a repetition. */
  readonly messageId: string;
}

export interface MailReceipt {
  /** The server's answer to the mail, e.g. `250 2.0.0 Ok: queued as 4711`. */
  readonly response: string;
}

/** Time limits of one mail, milliseconds. */
export interface MailLimits {
  readonly connectMs: number;
  /** Silence of the server. */
  readonly silenceMs: number;
  /** From the first byte to the last answer. */
  readonly totalMs: number;
}

const LIMITS: MailLimits = { connectMs: 10_000, silenceMs: 20_000, totalMs: 60_000 };
const MOST_BYTES = 10_000_000;
const MOST_ANSWER_BYTES = 64 * 1024;
/** Time for the server to end the connection after the mail. */
const CLOSE_MS = 1_000;

export interface MailerOptions {
  readonly server: SmtpServer;
  readonly from: MailSender;
  /** PEM file with certificates that are trusted in addition to the public authorities. */
  readonly caFile?: string | undefined;
  readonly limits?: Partial<MailLimits>;
}

/** Hands e-mails to the operator's mail server, each over a connection of its own. */
export class Mailer {
  readonly from: MailSender;
  readonly #server: SmtpServer;
  readonly #secureContext: SecureContext;
  readonly #limits: MailLimits;

  /** @throws Error when the certificate file cannot be read */
  constructor({ server, from, caFile, limits }: MailerOptions) {
    this.from = from;
    this.#server = server;
    this.#secureContext = trust({ path: caFile, variable: 'SMTP_CA_FILE' });
    this.#limits = { ...LIMITS, ...limits };
  }

  /** Longest time that `send` takes. */
  get totalMs(): number {
    return this.#limits.totalMs;
  }

  /** @throws MailFailure, or the reason of `signal` */
  async send(mail: Mail, signal?: AbortSignal): Promise<MailReceipt> {
    const bytes = await this.#compose(mail);
    if (bytes.length > MOST_BYTES)
      throw new MailFailure(`The mail has more than ${MOST_BYTES / 1e6} MB.`, { isFinal: true });
    return this.#hand(bytes, mail.to, signal);
  }

  /** Connects and logs in as for a mail, and hands none over. @throws MailFailure */
  async check(): Promise<void> {
    await this.#hand(null);
  }

  #compose(mail: Mail): Promise<Buffer> {
    const { to, subject, text, html, attachments = [], headers = {}, messageId } = mail;
    const domain = this.from.address.slice(this.from.address.indexOf('@') + 1);
    const composer = new MailComposer({
      from: { name: oneLine(this.from.name), address: this.from.address },
      to: { name: '', address: to },
      subject: oneLine(subject),
      text,
      html,
      messageId: `<${messageId}@${domain}>`,
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, oneLine(value)])),
      attachments: attachments.map(({ content, contentId, ...part }) => ({
        ...part,
        content: typeof content === 'string' ? content : Buffer.from(content),
        ...(contentId !== undefined && { cid: contentId, contentDisposition: 'inline' as const }),
      })),
      // Nothing in a mail may make this program read a file or an address.
      disableFileAccess: true,
      disableUrlAccess: true,
      newline: 'win',
    });
    return composer.compile().build();
  }

  /** @param bytes null: only the login */
  #hand(bytes: Buffer | null, to = '', signal?: AbortSignal): Promise<MailReceipt> {
    const { host, port, tls, login } = this.#server;
    const { connectMs, silenceMs, totalMs } = this.#limits;
    const connection = new SMTPConnection({
      host,
      port,
      secure: tls === 'first',
      requireTLS: tls === 'required',
      ignoreTLS: tls === 'none',
      connectionTimeout: connectMs,
      greetingTimeout: connectMs,
      dnsTimeout: connectMs,
      socketTimeout: silenceMs,
      socketCloseTimeout: CLOSE_MS,
      maxResponseSize: MOST_ANSWER_BYTES,
      logger: false,
      tls: { secureContext: this.#secureContext },
    });
    let wasSent = false;
    let timer: NodeJS.Timeout | undefined;
    let stop: (() => void) | undefined;
    const sent = new Promise<MailReceipt>((resolve, reject) => {
      // There may be several; only the first counts.
      const fail = (error: SmtpError) => reject(failureOf(error, this.#server, wasSent));
      timer = setTimeout(() => fail(Object.assign(new Error('late'), { code: 'ETIMEDOUT' })), totalMs);
      stop = () => reject(signal?.reason as Error);
      if (signal?.aborted) return stop();
      signal?.addEventListener('abort', stop, { once: true });
      connection.on('error', fail);
      connection.on('end', () => fail(Object.assign(new Error('ended'), { code: 'ECONNECTION' })));
      const send = () => {
        if (bytes === null) return resolve({ response: '' });
        const body = Readable.from([bytes]);
        body.on('end', () => {
          wasSent = true;
        });
        connection.send({ from: this.from.address, to: [to], size: bytes.length }, body, (error, info) => {
          if (error) fail(error);
          else resolve({ response: oneLine(info!.response) });
        });
      };
      connection.connect((error) => {
        if (error) fail(error);
        else if (login === null) send();
        else connection.login({ ...login }, (refused) => (refused ? fail(refused) : send()));
      });
    });
    sent.then(
      () => connection.quit(),
      () => connection.close(),
    );
    return sent.finally(() => {
      clearTimeout(timer);
      if (stop) signal?.removeEventListener('abort', stop);
    });
  }
}

/** The mailer of the configuration; null where SMTP_URL is not set. @throws Error when SMTP_CA_FILE cannot be read */
export function openMailer({ config }: { config: Config }): Mailer | null {
  const { smtpUrl, mailFrom, smtpCaFile: caFile } = config;
  return smtpUrl && mailFrom ? new Mailer({ server: smtpUrl, from: mailFrom, caFile }) : null;
}

/** A header has one line without control characters. */
const oneLine = (text: string): string => text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
