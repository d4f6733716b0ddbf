import { isEnglish } from './english';
import { readText } from './plain-text';

const ENGLISH = {
  plain:
    'Hi Anna, I noticed that your team is hiring two account executives this quarter. We help sales teams like yours book more meetings without adding work. Would you be open to a short call next week?',
  terse:
    'Quick question, Ben. Who looks after outbound at Acme? We cut manual research by half for Contoso and Fabrikam last year. Happy to share numbers. Ten minutes Tuesday or Wednesday?',
  bullets:
    'Hi Carla, three results from last quarter:\n- 40% more replies\n- 2x faster onboarding\n- SOC 2 report ready\nContoso went live in six days. Worth a chat? Pick a slot below. Best, Dan',
  formal:
    'Dear Ms Weber, following our conversation at the conference in Berlin, please find attached the proposal for your review. Should any questions arise, I remain at your disposal. Kind regards, Eric',
  jargon:
    'Organisational heterogeneity notwithstanding, comprehensive interoperability considerations necessitate systematically coordinated infrastructure modernisation initiatives across departmental accountability boundaries and administrative jurisdictions. Kind regards, I look forward to your reply.',
  followUp:
    'Just bumping this up in case it got buried. Did you get a chance to look at what I sent last Thursday? If now is a bad time, tell me when I should try again, or who else I should talk to.',
  pitch:
    'Imagine closing deals faster. Our platform scores leads automatically, drafts emails, and schedules demos. Customers see results within weeks. Start free today; no credit card needed. Reply yes and I set everything up.',
  noun: 'Product update: new dashboards, faster exports, single sign-on, audit logs, and role based access. Pricing unchanged. Migration guide, release notes and API reference attached. Questions welcome. Support team available around the clock.',
};
const OTHERS = {
  german:
    'Hallo Anna, mir ist aufgefallen, dass Ihr Team in diesem Quartal zwei Vertriebler sucht. Wir helfen Teams wie Ihrem, ohne mehr Aufwand mehr Termine zu bekommen. Haben Sie in der kommenden Woche Zeit, mit mir zu telefonieren?',
  germanOfSales:
    'Hi Ben, kurze Frage: wer ist bei Acme im Sales für Outbound und Lead Management verantwortlich? Unser Tool verbindet CRM, Dialer und Reporting in einem Dashboard, und das Onboarding war bei Contoso in sechs Tagen done. Hast du Dienstag zehn Minuten für einen Call? Best, Dan',
  germanFormal:
    'Sehr geehrte Frau Weber, im Anschluss an unser Telefonat sende ich Ihnen hiermit das Angebot. Es umfasst die Lizenzen, die Schulung und den Support. Sollten Sie Fragen haben, rufen Sie mich an. Mit freundlichen Grüßen, Erich',
  french:
    "Bonjour Anna, j'ai vu que votre équipe recrute deux commerciaux ce trimestre. Nous aidons des équipes comme la vôtre à obtenir plus de rendez-vous sans travail en plus. Seriez-vous disponible pour un appel la semaine prochaine?",
  frenchFormal:
    'Madame, suite à notre échange au salon, vous trouverez ci-joint notre offre. Elle comprend les licences, la formation et le support. Je reste à votre disposition pour toute question. Dans cette attente, je vous prie de croire à mes salutations les meilleures.',
  spanish:
    'Hola Ana, he visto que tu equipo busca dos comerciales este trimestre. Ayudamos a equipos como el tuyo a conseguir más reuniones sin más trabajo. ¿Te va bien una llamada la semana que viene para hablar de ello? Un saludo, Carlos',
  italian:
    'Ciao Anna, ho visto che il tuo team cerca due commerciali in questo trimestre. Aiutiamo team come il tuo a fissare più incontri senza lavoro in più. Hai tempo per una breve chiamata la prossima settimana? A presto, Carlo',
  dutch:
    'Hoi Anna, ik zag dat je team dit kwartaal twee accountmanagers zoekt. Wij helpen teams zoals dat van jullie om meer afspraken te maken zonder extra werk. Heb je volgende week tijd voor een kort gesprek, of is een andere week beter? We horen graag van je.',
  danish:
    'Hej Anna, jeg kan se at dit team leder efter to salgsfolk i dette kvartal. Vi hjælper team som jeres med at få flere møder uden mere arbejde. Har du tid til en kort samtale i næste uge, eller er det bedre at vente til ugen efter? Med venlig hilsen',
  polish:
    'Dzień dobry Anno, widzę że twój zespół szuka dwóch handlowców w tym kwartale. Pomagamy zespołom takim jak twój umawiać więcej spotkań bez dodatkowej pracy. Czy to dobry czas na krótką rozmowę w przyszłym tygodniu? To zajmie dziesięć minut.',
  portuguese:
    'Oi Ana, vi que a sua equipe procura dois vendedores neste trimestre. Ajudamos equipes como a sua a marcar mais reuniões sem mais trabalho. Você teria tempo para uma ligação na próxima semana? Um abraço e até logo, Carlos',
  japaneseInLatin:
    'Sato sama, osewa ni natte orimasu. Kono tabi wa onsha no eigyou bu no katagata ni otetsudai dekiru koto ga aru to omoi, go renraku sasete itadakimashita. Raishuu no dokoka de juppun hodo ojikan wo itadakemasu deshou ka. Yoroshiku onegai itashimasu.',
  filler:
    'Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore et dolore magna aliqua. Ut enim ad minim veniam, quis nostrud exercitation ullamco laboris nisi ut aliquip ex ea commodo consequat.',
  placeholder: 'word text filler alpha beta gamma delta sample example value '.repeat(6),
};

const judged = (text: string) => isEnglish(readText(text).tokens);

describe('the language of a text', () => {
  it.each(Object.entries(ENGLISH))('is English: %s', (_name, text) => {
    expect(judged(text)).toBe(true);
  });

  it.each(Object.entries(OTHERS))('is not English: %s', (_name, text) => {
    expect(judged(text)).toBe(false);
  });

  it('is English with a name, a word or a sentence of another one in it', () => {
    expect(judged(`Guten Tag, Herr Müller. ${ENGLISH.plain} Mit freundlichen Grüßen`)).toBe(true);
  });

  it('is that of the text and not of the two lines behind it by which one unsubscribes', () => {
    const footer = 'Unsubscribe here if these emails are not for you. Acme GmbH, Berlin.';
    const long = `${OTHERS.germanFormal} ${OTHERS.german} ${footer}`;
    expect(judged(long)).toBe(false);
  });

  it('is not known of a text without words', () => {
    expect(judged('')).toBe(true);
    expect(judged('… 12 % — 7')).toBe(false);
  });
});
