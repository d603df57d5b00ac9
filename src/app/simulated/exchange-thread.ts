/** The program of the embedded exchange's thread. `embedded-exchange.ts` starts and ends it. */
import { parentPort, workerData } from 'node:worker_threads';
import { TouchlineError } from '../../domain/errors.ts';
import { invariant } from '../../lib/assert.ts';
import { createStreamLogger } from '../../ops/logger.ts';
import { systemClock } from '../adapters/system-clock.ts';
import {
  type ExchangeChoice,
  type FromExchange,
  type LogTaken,
  outgoingLog,
  plainError,
} from './exchange-messages.ts';
import { openSimulator } from './simulation.ts';

invariant(parentPort !== null, 'the exchange runs in a thread of its own');
const owner = parentPort;
const send = (message: FromExchange): void => owner.postMessage(message);

const log = outgoingLog((lines) => send({ kind: 'log', lines }));
owner.on('message', (_: LogTaken) => log.taken());

try {
  const choice = workerData as ExchangeChoice;
  const logger = createStreamLogger('debug', log.stream);
  const { rest, stream } = await openSimulator({ ...choice, clock: systemClock, logger });
  send({ kind: 'ready', rest, stream });
} catch (error) {
  if (!(error instanceof TouchlineError)) throw error;
  send({ kind: 'refused', error: plainError(error) });
}
