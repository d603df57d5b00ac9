import type { BetDelay, Market, SimEvent, SimEventName } from '../../../src/simulator/core/api.ts';
import type { EventResult } from '../../../src/domain/bet-types/result.ts';

/** A market that only records its calls. */
export class FakeMarket implements Market {
  readonly calls: unknown[][] = [];

  putEvent(event: SimEvent, nowMs: number): void {
    this.calls.push(['putEvent', event.eventId, nowMs]);
  }
  removeRunner(event: SimEventName): void {
    this.calls.push(['removeRunner', event]);
  }
  removeEvent(event: SimEventName): void {
    this.calls.push(['removeEvent', event]);
  }
  goInRunning(event: SimEventName): void {
    this.calls.push(['goInRunning', event]);
  }
  setSuspended(event: SimEventName, suspended: boolean): void {
    this.calls.push(['setSuspended', event, suspended]);
  }
  setPaused(event: SimEventName, outcomes: readonly string[], isPaused: boolean): void {
    this.calls.push(['setPaused', event, outcomes, isPaused]);
  }
  setBetDelay(event: SimEventName, outcomes: readonly string[], { delayMs }: BetDelay): void {
    this.calls.push(['setBetDelay', event, outcomes, delayMs]);
  }
  setScore(event: SimEventName, home: number, away: number): void {
    this.calls.push(['setScore', event, home, away]);
  }
  setRedCards(event: SimEventName, home: number, away: number): void {
    this.calls.push(['setRedCards', event, home, away]);
  }
  setTime(event: SimEventName, period: string, minutes: number | null): void {
    this.calls.push(['setTime', event, period, minutes]);
  }
  settle(event: SimEventName, result: EventResult): void {
    this.calls.push(['settle', event, result]);
  }
  voidEvent(event: SimEventName): void {
    this.calls.push(['voidEvent', event]);
  }
  clear(_nowMs: number, outageMs?: number): void {
    this.calls.push(['clear', ...(outageMs === undefined ? [] : [outageMs])]);
  }
  recover(): void {
    this.calls.push(['recover']);
  }
  setLevel(): void {
    this.calls.push(['setLevel']);
  }
  setOffer(): void {
    this.calls.push(['setOffer']);
  }
  offered(): null {
    return null;
  }
  followRecording(participant: string): void {
    this.calls.push(['followRecording', participant]);
  }

  setMinimum(participant: string, leastMicros: number): void {
    this.calls.push(['setMinimum', participant, leastMicros]);
  }
  hide(participant: string): void {
    this.calls.push(['hide', participant]);
  }
  clearLevels(): void {
    this.calls.push(['clearLevels']);
  }
  take(): number {
    return 0;
  }
  trade(): number {
    return 0;
  }
  tradeOffer(): number {
    return 0;
  }
  takeOffer(): number {
    return 0;
  }
  levels(): readonly [] {
    return [];
  }
  isSuspended(): boolean {
    return false;
  }
  isInRunning(): boolean {
    return false;
  }
}
