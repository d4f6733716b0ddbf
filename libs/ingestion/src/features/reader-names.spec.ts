import { readerNames } from './reader-names';

const ofDomain = (domain: string) => readerNames(null, null, domain);

describe('the names of a reader', () => {
  it('are the first name, the company and the name in the domain, as far as they are known', () => {
    expect(readerNames('Anna', 'Globex Inc', 'initech.com')).toEqual(['anna', 'globex inc', 'initech']);
    expect(readerNames(null, 'Globex', null)).toEqual(['globex']);
    expect(readerNames('Anna', null, null)).toEqual(['anna']);
    expect(readerNames(null, null, null)).toEqual([]);
  });

  it('are in lower case, without blanks around them', () => {
    expect(readerNames('  Anna ', '\tGLOBEX\n', 'Initech.com')).toEqual(['anna', 'globex', 'initech']);
  });

  it('have three letters at least, because shorter ones stand in any text', () => {
    expect(readerNames('Bo', 'HP', 'ge.com')).toEqual([]);
    expect(readerNames('Ann', 'IBM', 'sap.com')).toEqual(['ann', 'ibm', 'sap']);
    expect(readerNames(' Bo ', '', 'com')).toEqual([]);
    expect(readerNames('佐藤', '李', null)).toEqual(['佐藤']);
    expect(readerNames('김수', 'タナ', null)).toEqual(['김수', 'タナ']);
  });

  it.each([
    ['acme.com', 'acme'],
    ['mail.acme.com', 'acme'],
    ['eu.mail.acme.io', 'acme'],
    ['acme.co.uk', 'acme'],
    ['mail.acme.com.br', 'acme'],
    ['acme.org.uk', 'acme'],
    ['acme.net.au', 'acme'],
    ['acme.ac.uk', 'acme'],
    ['acme.gov.uk', 'acme'],
    ['acme.edu.au', 'acme'],
    ['company.de', 'company'],
    ['taco.com', 'taco'],
    ['comet.acme2.de', 'acme2'],
    ['co-op.de', 'co-op'],
    ['37signals.com', '37signals'],
    ['99designs.com', '99designs'],
  ])('are in the domain %s: %s', (domain, name) => {
    expect(ofDomain(domain)).toEqual([name]);
  });

  it.each([
    ...['gmail.com', 'googlemail.com', 'outlook.com', 'hotmail.co.uk', 'live.com', 'msn.com', 'yahoo.fr'],
    ...['ymail.com', 'icloud.com', 'aol.com', 'protonmail.com', 'proton.me', 'fastmail.com', 'zoho.com'],
    ...['mail.com', 'gmx.de', 'web.de', 'qq.com', 'example.org', 'eu.mail.com'],
  ])('are none in %s, where anybody may have an address', (domain) => {
    expect(ofDomain(domain)).toEqual([]);
  });

  it.each([
    '[192.168.100.200]',
    '192.168.100.200',
    '163.com',
    '[ipv6:2001:db8::1]',
    '[ipv6:::ffff:192.0.2.1]',
    '[ipv6:2001.1]',
  ])('are none in %s, which is a number or a machine', (domain) => {
    expect(ofDomain(domain)).toEqual([]);
  });

  it('are none in a domain of one label, or of none before its ending', () => {
    for (const domain of ['localhost', 'com.au', 'co.uk', '']) expect(ofDomain(domain)).toEqual([]);
  });
});
