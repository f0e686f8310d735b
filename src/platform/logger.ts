import { type LoggerOptions, type Logger as PinoLogger, pino } from 'pino';
import { LogOutput } from './log-output.ts';

export type Logger = PinoLogger;

const API_KEY = /(vas_[0-9A-Za-z]{8}_)[0-9A-Za-z]{38}/g;
/** An address with more than a host. Login, path and query can each be a secret. */
const ADDRESS = /\b((?!file:)[a-z][a-z0-9+.-]*:\/\/)(?:[^\s"'\\]*@)?([^\s"'\\/?#]+)[/?#][^\s"'\\]*/gi;
const LOGIN = /\b((?!file:)[a-z][a-z0-9+.-]*:\/\/)[^\s"'\\]*@/gi;

/**
 * A logger for lines whose fields are all known and not secret. It skips the removal by field name, which costs more than the
 * rest of a line. Keys and addresses are still removed.
 */
export const withoutNames = (logger: Logger): Logger => logger.child({}, { redact: [] });

/** Removes API keys and addresses from a line, in every field and in error messages. */
export function scrub(line: string): string {
  // Most lines have neither, and this test is much faster than the replacements.
  if (!line.includes('vas_') && !line.includes('://')) return line;
  return line
    .replace(API_KEY, '$1[redacted]')
    .replace(ADDRESS, '$1$2/[redacted]')
    .replace(LOGIN, '$1[redacted]@');
}

/** `code` is not among them, because errors have a field of that name; codes are never logged. */
const SECRETS = [
  ...['authorization', 'cookie', 'set-cookie', 'password', 'currentPassword', 'passwordHash'],
  ...['secret', 'token', 'streamUrl', 'analysisStreamUrl', 'databaseUrl'],
];

/** Logs one JSON object per line. Fields with these names are removed, because they can hold secrets. */
export function createLogger(options: {
  level: string;
  program: string;
  /** Default: standard output. */
  output?: { write(line: string): void };
}): Logger {
  const standard = new LogOutput();
  const settings: LoggerOptions = {
    level: options.level,
    base: { program: options.program },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: SECRETS.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]),
      censor: '[redacted]',
    },
    hooks: { streamWrite: scrub },
  };
  const logger = pino(settings, options.output ?? standard);
  standard.onLost = (lines) =>
    logger.warn({ lines }, 'lines of the log were lost: standard output could not be written');
  return logger;
}
