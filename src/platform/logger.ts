import { type Logger as PinoLogger, pino } from 'pino';

export type Logger = PinoLogger;

/** One JSON object per line; what could open a door is cut out wherever it is logged by these names. */
export function createLogger(options: { level: string; program: string }): Logger {
  return pino({
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
  });
}
