import { SAMPLE } from '../../test/sample';
import { announcementText } from './announcement-text';

describe('what a key holder is written', () => {
  const { subject, text } = announcementText(SAMPLE, ['AbCdEfGh01234567', 'ZyXwVuTs01234567'], 'svc');

  it('says what ends when, what to use instead and where to read more', () => {
    expect(subject).toBe('GET /v0/patterns ends on 2027-05-01');
    for (const part of [SAMPLE.subject, '2027-01-10', '2027-05-01', SAMPLE.replacement, SAMPLE.documentation])
      expect(text).toContain(part);
  });

  it('names keys by the beginning of their ids', () => {
    expect(text).toContain('svc_AbCdEfGh\n');
    expect(text).toContain('svc_ZyXwVuTs');
    expect(text).not.toContain('AbCdEfGh0');
  });
});
