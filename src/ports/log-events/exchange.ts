import type { LogEvents } from './event.ts';

/** What the client of the exchange and the simulated exchange log. */
export const EXCHANGE_EVENTS = {
  stream_replaced: {
    level: 'info',
    message: 'the stream connects again',
    fields: ['epoch', 'reason'],
    meaning: 'The daemon ended the connection to open another one.',
  },
  stream_lost: {
    level: 'warn',
    message: 'the stream ended',
    fields: ['epoch', 'reason', 'retryInMs'],
    meaning: 'The client connects again after `retryInMs`.',
  },
  stream_refused: {
    level: 'error',
    message: 'the stream ended',
    fields: ['epoch', 'reason', 'retryInMs'],
    meaning: 'The exchange refused the key. The client does not connect again, and the run ends.',
  },
  request_failed: {
    level: 'debug',
    message: 'a request failed',
    fields: ['endpoint', 'code', 'error'],
    meaning: 'One attempt of a request. The caller reports what follows.',
  },
  throttled: {
    level: 'warn',
    message: 'the exchange throttled a request (429)',
    fields: ['endpoint', 'retryAfterS'],
    meaning: 'Requests of this kind pause.',
  },
  unknown_received: {
    level: 'warn',
    message: 'the exchange sent something unknown',
    fields: ['kind', 'what'],
    meaning:
      'A field, status or code that the specification does not name, or an entry that cannot be read, once for each; beyond 1,000 of them, at most one of a kind in 10 s.',
  },
  number_out_of_bounds: {
    level: 'error',
    message: 'the exchange sent a number out of bounds',
    fields: ['what', 'times'],
    meaning:
      'A number that drives a time, a size or a count cannot be meant. `what` names field and value, and tells what is used instead. For as long as it occurs, it is logged at most once in 10 s for each number and what is used instead.',
  },
  stream_answer_unasked: {
    level: 'warn',
    message: 'the stream answered without a command',
    fields: ['code'],
    meaning: 'The answer is ignored.',
  },
  stream_command_refused: {
    level: 'warn',
    message: 'the exchange refused a stream command',
    fields: ['kind', 'sport', 'eventId', 'code'],
    meaning: 'The event may get no prices from the stream.',
  },
  registrations_refused: {
    level: 'debug',
    message: 'the exchange refused to list registrations',
    fields: ['code'],
    meaning: 'The list is read again later.',
  },
  registrations_unread: {
    level: 'debug',
    message: 'the list of registrations cannot be read',
    fields: ['error'],
    meaning: 'The list is read again later.',
  },
  old_frame_dropped: {
    level: 'debug',
    message: 'dropped a frame of an earlier connection',
    fields: ['epoch'],
    meaning: 'It arrived after its connection had ended.',
  },
  entry_not_applied: {
    level: 'error',
    message: 'a stream entry could not be applied',
    fields: ['tag', 'error'],
    meaning: 'One entry of a frame is lost; the others count.',
  },
  exchange_failed: {
    level: 'error',
    message: 'the simulated exchange failed: the request gets 500, or the stream closes',
    fields: ['what', 'token', 'error'],
    meaning: 'A bug of the simulated exchange. The answer holds the same `token`.',
  },
  exchange_port_lost: {
    level: 'error',
    message: 'the simulator cannot listen on its port again: clients cannot connect',
    fields: ['error'],
    meaning: 'Another program took the port while a fault was simulated.',
  },
  exchange_ended: {
    level: 'error',
    message: 'the exchange ended, and every order on it: the run ends, too',
    fields: ['error'],
    meaning: 'The embedded exchange failed.',
  },
  lines_not_read: {
    level: 'warn',
    message: 'the recorded market has lines that are no changes of a market',
    fields: ['file', 'lines'],
    meaning:
      '`lines` counts them by kind; of lines that cannot be understood it names the first of each kind with what is wrong. They are left out.',
  },
} as const satisfies LogEvents;
