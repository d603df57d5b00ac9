import { RecordingError } from '../domain/errors.ts';
import { foreignJson } from '../lib/foreign-text.ts';
import { reasonOf } from '../lib/reason.ts';

/** The JSON in the content of a record. Throws RecordingError if there is none, or if it is nested too deeply. */
export function payloadJson(payload: Uint8Array): unknown {
  try {
    return foreignJson(new TextDecoder().decode(payload));
  } catch (error) {
    throw new RecordingError(`the content of a record cannot be read: ${reasonOf(error)}`, {}, error);
  }
}
