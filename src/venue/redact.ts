import type { Redact } from '../domain/secret.ts';
import type { LogFields, Logger } from '../ports/logger.ts';

/** A logger that redacts its messages and every text field. */
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
