import { type LoggerOptions, type Logger as PinoLogger, pino } from 'pino';

export type Logger = PinoLogger;

const API_KEY = /(vas_[0-9A-Za-z]{8}_)[0-9A-Za-z]{38}/g;
/** An address with more than a host: who may log in, the path and the query can each open a door. */
const ADDRESS = /\b((?!file:)[a-z][a-z0-9+.-]*:\/\/)(?:[^\s"'\\]*@)?([^\s"'\\/?#]+)[/?#][^\s"'\\]*/gi;
const LOGIN = /\b((?!file:)[a-z][a-z0-9+.-]*:\/\/)[^\s"'\\]*@/gi;

/**
 * Of lines whose every field is known, which cannot be one that is cut out by its name: that costs more than the rest
 * of a line. Keys and addresses are cut out here as well.
 */
export const withoutNames = (logger: Logger): Logger => logger.child({}, { redact: [] });

/** Cuts keys and addresses out of a line whatever they are called in it, messages of errors included. */
export function scrub(line: string): string {
  // Most lines have neither; looking is much faster than replacing.
  if (!line.includes('vas_') && !line.includes('://')) return line;
  return line
    .replace(API_KEY, '$1[redacted]')
    .replace(ADDRESS, '$1$2/[redacted]')
    .replace(LOGIN, '$1[redacted]@');
}

/** One JSON object per line; what could open a door is cut out wherever it is logged by these names. */
export function createLogger(options: { level: string; program: string }): Logger {
  // Lines wait for each other, not the program for them; at its end what waits is written.
  const standardOutput = pino.destination({ dest: 1, sync: false, minLength: 16_000, periodicFlush: 100 });
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
