import { type LoggerOptions, type Logger as PinoLogger, pino } from 'pino';

export type Logger = PinoLogger;

const API_KEY = /(vas_[0-9A-Za-z]{8}_)[0-9A-Za-z]{38}/g;
/** An address with more than a host: who may log in, the path and the query can each open a door. */
const ADDRESS = /\b((?!file:)[a-z][a-z0-9+.-]*:\/\/)(?:[^\s"'\\]*@)?([^\s"'\\/?#]+)[/?#][^\s"'\\]*/gi;
const LOGIN = /\b((?!file:)[a-z][a-z0-9+.-]*:\/\/)[^\s"'\\]*@/gi;

/** Cuts keys and addresses out of a line whatever they are called in it, messages of errors included. */
export const scrub = (line: string): string =>
  line.replace(API_KEY, '$1[redacted]').replace(ADDRESS, '$1$2/[redacted]').replace(LOGIN, '$1[redacted]@');

/** One JSON object per line; what could open a door is cut out wherever it is logged by these names. */
export function createLogger(options: { level: string; program: string }): Logger {
  // Lines wait for each other, not the program for them; at its end what waits is written.
  const standardOutput = pino.destination({ dest: 1, sync: false });
  const settings: LoggerOptions = {
    level: options.level,
    base: { program: options.program },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: ['authorization', 'cookie', 'password', 'secret', 'streamUrl', 'databaseUrl'].flatMap((name) => [
        name,
        `*.${name}`,
        `*.*.${name}`,
      ]),
      censor: '[redacted]',
    },
    hooks: { streamWrite: scrub },
  };
  return pino(settings, standardOutput);
}
