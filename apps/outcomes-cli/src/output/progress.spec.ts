import { startProgress, type Progress } from './progress';

describe('a bar on a terminal', () => {
  afterEach(() => jest.restoreAllMocks());

  it('gives the cursor back where it is interrupted, and lets the process end', () => {
    const written: string[] = [];
    const { stderr } = process;
    const wasTerminal = stderr.isTTY;
    stderr.isTTY = true;
    jest.spyOn(stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0);
    const kill = jest.spyOn(process, 'kill').mockReturnValue(true);
    const progress = startProgress('backup', 10);
    try {
      process.emit('SIGINT', 'SIGINT');
    } finally {
      progress.stop();
      stderr.isTTY = wasTerminal;
    }
    expect(written.join('')).toContain('\u001b[?25h');
    expect(kill).toHaveBeenCalledWith(process.pid, 'SIGINT');
    expect(process.listenerCount('SIGINT')).toBe(0);
  });
});

describe('progress that is written down', () => {
  afterEach(() => jest.restoreAllMocks());

  it.each([
    ['says where it ended', (progress: Progress) => progress.update(5, 'half'), 'import 50% half\n'],
    ['says nothing of what never began', () => undefined, ''],
  ])('%s', (_what, happen, expected) => {
    const { stderr } = process;
    const wasTerminal = stderr.isTTY;
    stderr.isTTY = false;
    const written: string[] = [];
    jest.spyOn(stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0);
    const progress = startProgress('import', 10);
    happen(progress);
    progress.stop();
    progress.stop();
    stderr.isTTY = wasTerminal;
    expect(written.join('')).toBe(expected);
  });
});
