import type { ResponseEntry } from '../wire/frame.ts';
import type { OnResponse } from './requests.ts';
import type { RegistrationCommand } from './registrations.ts';

export interface EchoCommand {
  readonly kind: 'echo';
  readonly nonce: string;
}

/** Asks which events this connection has registered. */
export interface ListCommand {
  readonly kind: 'list';
  readonly onResponse: OnResponse;
}

export type Command = RegistrationCommand | EchoCommand | ListCommand;

export interface SentCommand {
  readonly command: Command;
  readonly sentMonotonicMs: number;
}

/** The text of a command in the exchange's format. */
export function commandText(command: Command): string {
  if (command.kind === 'echo') return JSON.stringify(['echo', command.nonce]);
  if (command.kind === 'list') return JSON.stringify(['list_registered_events']);
  return JSON.stringify([`${command.kind}_event`, command.sport, command.eventId]);
}

/**
 * Commands without an answer yet. Answers carry no id and come in the order of the commands. An echo's answer repeats
 * our nonce, so it also shows that answers before it were lost.
 */
export class PendingCommands {
  readonly #sent: SentCommand[] = [];

  add(command: Command, sentMonotonicMs: number): void {
    this.#sent.push({ command, sentMonotonicMs });
  }

  /** Removes and returns the commands whose answers were lost, as this answer shows. Call it before `match`. */
  lostBefore(response: ResponseEntry): readonly SentCommand[] {
    const at = this.#sent.findIndex(
      ({ command }) => command.kind === 'echo' && repeats(response, command.nonce),
    );
    return at > 0 ? this.#sent.splice(0, at) : [];
  }

  /** Removes and returns the command that the next answer belongs to; null when none is outstanding. */
  match(): SentCommand | null {
    return this.#sent.shift() ?? null;
  }

  clear(): void {
    this.#sent.length = 0;
  }
}

function repeats(response: ResponseEntry, nonce: string): boolean {
  const data: unknown[] = Array.isArray(response.data) ? response.data : [response.data];
  return data.includes(nonce);
}
