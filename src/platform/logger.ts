import { type LoggerOptions, type Logger as PinoLogger, pino } from 'pino';
import { LogOutput } from './log-output.ts';

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
  const output = new LogOutput();
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
  const logger = pino(settings, output);
  output.onLost = (lines) =>
    logger.warn({ lines }, 'lines of the log were lost: standard output could not be written');
  return logger;
}
