import process from 'node:process';
import type { WriteStream } from 'node:tty';
import { VERSION } from '../../app/adapters/own-files.ts';
import { isReadByJournal } from '../../app/adapters/system-process.ts';
import { plainJson } from '../../lib/plain-text.ts';
import { createStreamLogger, type LevelledLogger, type LogLevel } from '../../ops/logger.ts';

/** What of a stream decides how log lines are written to it. */
export type LogStream = Pick<NodeJS.WriteStream, 'isTTY'> & Partial<Pick<WriteStream, 'hasColors'>>;

/** Turns JSON lines into lines for people if the stream is a terminal; null if it is none. The library loads only for a terminal. */
export async function prettyFor(stream: LogStream): Promise<((line: string) => string) | null> {
  if (!stream.isTTY) return null;
  const { prettyFactory } = await import('pino-pretty');
  const pretty = prettyFactory({
    colorize: stream.hasColors?.() ?? false,
    translateTime: 'SYS:HH:MM:ss.l',
    ignore: 'logEvent,runId,version',
    singleLine: true,
  }) as (line: string) => string;
  return (line) => plainJson(pretty(line));
}

/** The log on stdout or stderr: for people on a terminal, with priorities in systemd's journal, else JSON lines. */
export async function openLog(
  level: LogLevel,
  stream: typeof process.stdout | typeof process.stderr,
): Promise<LevelledLogger> {
  const pretty = await prettyFor(stream);
  const isJournal = isReadByJournal(stream.fd, process.env);
  const logger = createStreamLogger(level, stream, { isJournal, ...(pretty === null ? {} : { pretty }) });
  logger.bind({ version: VERSION });
  return logger;
}
