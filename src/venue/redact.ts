import type { Secret } from '../domain/secret.ts';
import type { Logger, LogFields } from '../ports/logger.ts';

/** Shorter keys could be part of any word. */
const SHORTEST_KEY = 8;

/** Takes the key out of text that came from outside and may repeat it: bodies of refusals, reasons, names. */
export type Redact = (text: string) => string;

export function redactor(secret: Secret): Redact {
  const key = secret.reveal();
  if (key.length < SHORTEST_KEY) return (text) => text;
  const encoded = encodeURIComponent(key);
  return (text) => text.replaceAll(key, '[secret]').replaceAll(encoded, '[secret]');
}

/** A logger that redacts its messages and the texts among its fields. */
export function redactingLogger(logger: Logger, redact: Redact): Logger {
  const clean = (fields: LogFields | undefined): LogFields =>
    Object.fromEntries(
      Object.entries(fields ?? {}).map(([name, value]) => [
        name,
        typeof value === 'string' ? redact(value) : value,
      ]),
    );
  return {
    debug: (message, fields) => logger.debug(redact(message), clean(fields)),
    info: (message, fields) => logger.info(redact(message), clean(fields)),
    warn: (message, fields) => logger.warn(redact(message), clean(fields)),
    error: (message, fields) => logger.error(redact(message), clean(fields)),
    child: (bindings) => redactingLogger(logger.child(clean(bindings)), redact),
  };
}
