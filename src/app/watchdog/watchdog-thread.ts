/** The program of the watchdog's thread. `start-watchdog.ts` starts and ends it. It must not open the journal or its lock. */
import process from 'node:process';
import { parentPort, workerData } from 'node:worker_threads';
import { createLogger, withPriority } from '../../ops/logger.ts';
import { killOwnProcess, replaceFile, STDERR, writeToStderr } from '../adapters/last-resort.ts';
import { VERSION } from '../adapters/own-files.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { isReadByJournal, notifySystemd, watchdogIntervalMs } from '../adapters/system-process.ts';
import { connect } from '../exchange/connect.ts';
import { accountCloser, WATCHDOG_REQUESTS } from './account-closer.ts';
import { CallReadings } from './call-marks.ts';
import { hangText } from './hang-file.ts';
import { watch } from './watchdog.ts';
import type { ClosingExchange } from './close-until-landed.ts';
import type { ExchangeAccess, ReplacedKey, WatchdogTask } from './watchdog-task.ts';

/** A round of closing waits no longer than this for one answer. */
const REQUEST_TIMEOUT_MS = 2_000;

const task = workerData as WatchdogTask;
const { exchange: access, hangFile } = task;
let apiKey = access?.apiKey ?? '';
parentPort?.on('message', (replaced: ReplacedKey) => void ({ apiKey } = replaced));
let written = Promise.resolve();
const prefixed = isReadByJournal(STDERR, process.env) ? withPriority : (line: string) => line;
const log = { write: (line: string) => void (written = written.then(() => writeToStderr(prefixed(line)))) };
const logger = createLogger('info', log).child({ version: VERSION, runId: task.runId, part: 'watchdog' });
const readings = new CallReadings(task.memory);

const notifyEveryMs = watchdogIntervalMs() ?? Infinity;
let notifiedMs = -Infinity;
/** The service manager would otherwise end the process before its orders are closed. */
function notify(): void {
  const nowMs = systemClock.monotonicMs();
  if (nowMs - notifiedMs < notifyEveryMs) return;
  notifiedMs = nowMs;
  notifySystemd('WATCHDOG=1');
}

function closerAt({ restUrl, installation }: ExchangeAccess): ClosingExchange {
  const exchange = connect({
    baseUrl: restUrl,
    apiKey,
    requestTimeoutMs: REQUEST_TIMEOUT_MS,
    requests: WATCHDOG_REQUESTS,
    logger,
  });
  return accountCloser(exchange, installation, readings.heartbeatId(), systemClock, logger);
}

watch({
  ...task.settings,
  readings,
  clock: systemClock,
  logger,
  end: killOwnProcess,
  openExchange: access === null ? null : () => closerAt(access),
  record: async (hang) => {
    if (hangFile !== null) await replaceFile(hangFile.path, hangText(hang), hangFile.like);
  },
  notify,
  logWritten: () => written,
});
