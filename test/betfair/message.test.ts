import { describe, expect, it } from 'vitest';
import { FileReading, kindsText } from '../../src/betfair/file-reading.ts';
import { type Message, NotUnderstood, readLine } from '../../src/betfair/message.ts';

const runner = (more: string): string => `{"op":"mcm","pt":5,"mc":[{"id":"1.5","rc":[{"id":1,${more}}]}]}`;

describe('a line', () => {
  it.each<[line: string, message: string]>([
    ['{"op":"mc', 'Unterminated string'],
    ['{"op":"mcm"}', 'pt: is not an instant in milliseconds'],
    ['{"op":"mcm","pt":"x","mc":[]}', 'pt: is not an instant'],
    ['{"op":"mcm","pt":1,"mc":{}}', 'mc: is not a list'],
    ['{"op":"mcm","pt":1,"mc":[null]}', 'mc.id: is not the id of a market'],
    ['{"op":"mcm","pt":1,"mc":[{"id":"1.5","rc":[{"id":"x"}]}]}', 'mc.rc.id: is not a number'],
    [runner('"hc":"x"'), 'mc.rc.hc: is not a number'],
    [runner('"atb":[["1.9","5"]]'), 'mc.rc.atb: the price "1.9" is not a number above 0'],
    [runner('"atb":[[1.9,"5"]]'), 'mc.rc.atb: the size "5" is not a number of at least 0'],
    [runner('"atb":[[1.9,-5]]'), 'mc.rc.atb: the size -5 is not'],
    [runner('"atl":[[0,5]]'), 'mc.rc.atl: the price 0 is not'],
    [runner('"atl":[[-2,5]]'), 'mc.rc.atl: the price -2 is not'],
    [runner('"atl":[[1e999,5]]'), 'mc.rc.atl: the price null is not'],
    [runner('"trd":[5]'), 'mc.rc.trd: has a level that is no pair'],
    [runner('"trd":7'), 'mc.rc.trd: is not a list'],
    [runner('"batb":[[-1,2,5]]'), 'mc.rc.batb: the rank -1 is not a place'],
    [runner('"batl":[[0,"2",5]]'), 'mc.rc.batl: the price "2" is not'],
    [runner('"bdatb":[[0,2,true]]'), 'mc.rc.bdatb: the size true is not'],
  ])('is named with its field: %s', (line, message) => {
    expect(() => readLine(line)).toThrow(NotUnderstood);
    expect(() => readLine(line)).toThrow(message);
  });

  it('may leave out what it has no change of, or say null', () => {
    const line = runner('"hc":null,"atb":null,"atl":[[2,0]],"batb":[[1,0,0]],"trd":null');
    expect((readLine(line) as Message).changes).toHaveLength(1);
    expect(readLine('{"op":"mcm","pt":2,"ct":"HEARTBEAT"}')).toEqual({ atMs: 2, changes: [] });
  });

  it.each([
    ['{"op":"connection"}', 'connection'],
    ['{"op":"status","statusCode":"SUCCESS"}', 'status'],
    ['[1]', 'without op'],
    ['null', 'without op'],
  ])('of another kind tells its kind: %s', (line, kind) => {
    expect(readLine(line)).toBe(kind);
  });
});

describe('the lines of a file', () => {
  const reading = (): FileReading<{ push: () => void; defined: () => void }> =>
    new FileReading('file', () => ({ push: () => undefined, defined: () => undefined }));

  it('are counted by kind, the first of each that is not understood with its place', () => {
    const file = reading();
    const lines = [
      '{"op":"status"}',
      runner('"atb":[[1,"2"]]'),
      '{"op":"status"}',
      runner('"atb":[["1",2]]'),
    ];
    for (const line of lines) {
      try {
        file.read(line);
      } catch (error) {
        file.leaveOut(error as NotUnderstood);
      }
    }
    expect(kindsText(file.otherKinds)).toBe(
      '2 status, 2 mc.rc.atb (the first: line 2: mc.rc.atb: the size "2" is not a number of at least 0)',
    );
  });

  it('never go back in time', () => {
    const file = reading();
    file.read('{"op":"mcm","pt":5}');
    expect(() => file.read('{"op":"mcm","pt":4}')).toThrow('pt: the clock runs backwards, from 5 to 4');
  });
});
