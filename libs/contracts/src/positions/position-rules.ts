import type { Position } from '../outcomes/dimensions';

/** Says which bucket a job title belongs to. The first rule that holds decides. */
export interface PositionRule {
  readonly position: Position;
  /** How often a title that this rule takes is rightly in the bucket, 0 to 1. */
  readonly confidence: number;
  /** Expression over the normalised title, see position-of.ts; it stands for whole words. */
  readonly title: string;
  /** Titles that hold this as well are left to later rules. */
  readonly unless?: string;
}

/** Words written short, or in another language, and how the rules spell them. */
export const SPELLINGS: Readonly<Record<string, string>> = {
  sr: 'senior',
  snr: 'senior',
  jr: 'junior',
  jnr: 'junior',
  mgr: 'manager',
  mgmt: 'management',
  mngr: 'manager',
  dir: 'director',
  assoc: 'associate',
  asst: 'assistant',
  coord: 'coordinator',
  eng: 'engineer',
  engr: 'engineer',
  dev: 'developer',
  rep: 'representative',
  exec: 'executive',
  mktg: 'marketing',
  ops: 'operations',
  pres: 'president',
  cofounder: 'founder',
  cofundador: 'founder',
  fondateur: 'founder',
  fondatrice: 'founder',
  fundador: 'founder',
  fundadora: 'founder',
  grunder: 'founder',
  grunderin: 'founder',
  inhaber: 'owner',
  inhaberin: 'owner',
  proprietaire: 'owner',
  propietario: 'owner',
  eigenaar: 'owner',
  geschaftsfuhrer: 'ceo',
  geschaftsfuhrerin: 'ceo',
  geschaeftsfuehrer: 'ceo',
  geschaeftsfuehrerin: 'ceo',
  vorstand: 'ceo',
  vorstandsvorsitzender: 'ceo',
  pdg: 'ceo',
  directeur: 'director',
  directrice: 'director',
  directora: 'director',
  direktor: 'director',
  direktorin: 'director',
  direttore: 'director',
  direttrice: 'director',
  bereichsleiter: 'director',
  bereichsleiterin: 'director',
  leiter: 'head of',
  leiterin: 'head of',
  abteilungsleiter: 'manager',
  abteilungsleiterin: 'manager',
  teamleiter: 'manager',
  teamleiterin: 'manager',
  vertriebsleiter: 'manager',
  vertriebsleiterin: 'manager',
  projektleiter: 'manager',
  projektleiterin: 'manager',
  gerente: 'manager',
  jefe: 'manager',
  responsable: 'manager',
  entwickler: 'developer',
  entwicklerin: 'developer',
  softwareentwickler: 'developer',
  softwareentwicklerin: 'developer',
  ingenieur: 'engineer',
  ingenieurin: 'engineer',
  ingeniero: 'engineer',
  ingeniera: 'engineer',
  informatiker: 'developer',
  informatikerin: 'developer',
  praktikant: 'intern',
  praktikantin: 'intern',
  werkstudent: 'intern',
  werkstudentin: 'intern',
  auszubildender: 'apprentice',
  auszubildende: 'apprentice',
  azubi: 'apprentice',
  stagiaire: 'intern',
  becario: 'intern',
  becaria: 'intern',
  berater: 'consultant',
  beraterin: 'consultant',
  sachbearbeiter: 'specialist',
  sachbearbeiterin: 'specialist',
  sekretar: 'secretary',
  sekretarin: 'secretary',
};

const SYSTEM_ADMINISTRATION =
  '(?:systems?|network|database|server|cloud|linux|unix|windows|it|security|salesforce|crm|sql|sap|servicenow|platform) administrator';

/** Order matters: seniority that a title names beats its craft, and assistants are none of those they assist. */
export const POSITION_RULES: readonly PositionRule[] = [
  {
    position: 'entry_level',
    confidence: 0.95,
    title: 'intern|internship|trainee|apprentice|apprenticeship|entry level|co op student|working student',
    unless: 'manager|director|head of|coordinator|recruiter|vp|vice president',
  },
  {
    position: 'entry_level',
    confidence: 0.85,
    title: 'student|(?:recent |new )?graduate|undergraduate|phd candidate|junior',
    unless:
      'student (?:affairs|success|services|advisor|recruitment|support|life|experience)|graduate (?:school|programs?|studies|admissions|recruitment)|manager|director|head of|dean|vp|vice president|partner',
  },
  {
    position: 'administrative',
    confidence: 0.95,
    title:
      '(?:executive|personal|administrative|admin|office|virtual|legal|team|management|secretarial|board|departmental) assistant|assistant to|receptionist|secretary|office (?:manager|administrator|coordinator)|clerk|data entry|front desk|typist|administrative (?:coordinator|officer|specialist|professional|support|manager)|executive administrator|chief clerk',
    unless: 'director|vice president|vp|secretary general|secretary of',
  },
  {
    position: 'administrative',
    confidence: 0.8,
    title: 'administrator|admin',
    unless: `${SYSTEM_ADMINISTRATION}|director|head of|chief|vice president|vp|manager|president`,
  },
  {
    position: 'founder',
    confidence: 0.97,
    title: 'founder|owner|proprietor|entrepreneur|solopreneur|founding partner',
    unless:
      '(?:product|process|data|service|application|platform|system|risk|content|backlog|solution|domain|feature|control) owner|owner operator driver|owner relations|business process owner|in residence|to owner',
  },
  {
    position: 'c_suite',
    confidence: 0.97,
    title:
      'chief [a-z ]*officer|c(?:e|f|t|o|m|i|r|p|s|d|c|x|a|l|n|g|b|v)o|ciso|chro|cpto|cdao|cxo|general counsel|chief executive|chief (?:accounting|legal) officer',
    unless: '(?:deputy|associate|assistant) general counsel',
  },
  {
    position: 'vp',
    confidence: 0.97,
    title: 'vice president|(?:[sejagr]|sr|senior|executive|group)?vp|vice pres',
  },
  {
    position: 'c_suite',
    confidence: 0.85,
    title:
      'president|managing director|executive chair|chairman|chairwoman|chairperson|chair|board (?:member|director|advisor and director)|member of the board|non executive director|director general|general director|amministratore delegato|executive director',
    unless:
      'vice chair|committee chair|department chair|chair of the department|professor|past president|branch president',
  },
  {
    position: 'partner',
    confidence: 0.92,
    title: 'partner',
    unless:
      '(?:business|hr|people|talent|channel|finance|strategic|customer|client|training|marketing|it|technology|learning|sourcing|procurement|safety|risk|communications|staffing|recruiting|sales|data|account|growth|delivery|change|brand|solution|implementation|alliance|design) partner|partner (?:manager|management|marketing|success|sales|development|account|engineer|engineering|solutions?|program|programs|operations|alliances|enablement|director|relations|specialist|lead|technology|strategy|consultant|architect|growth|support|business|network)|directors?|head of',
  },
  {
    position: 'director',
    confidence: 0.93,
    title: 'director|head of|head|dean|provost|chief of staff',
    unless:
      'head (?:coach|teacher|chef|nurse|waiter|cashier|gardener|bartender)|director of (?:first impressions)',
  },
  {
    position: 'manager',
    confidence: 0.93,
    title:
      'manager|supervisor|foreman|forewoman|superintendent|team lead|team leader|group leader|group lead|shift lead|controller|comptroller|treasurer|postmaster|branch president|department chair|principal of',
    unless: 'air traffic controller|case manager assistant',
  },
  {
    position: 'technical',
    confidence: 0.92,
    title: `engineer|engineers|engineering|developer|programmer|devops|devsecops|sre|sysadmin|${SYSTEM_ADMINISTRATION}|dba|sdet|coder|webmaster|full ?stack|front ?end|back ?end|software|tech lead|technical lead|member of technical staff|data scientist|machine learning|(?:solutions?|enterprise|software|data|cloud|security|systems?|technical|it|network|infrastructure|application|integration|principal|lead|chief|staff|platform|information|salesforce|aws|azure) architect|security researcher|penetration tester|ethical hacker|(?:it|technical|desktop|network|systems?|application|software|cyber ?security|information security|security operations) (?:support|specialist|analyst|technician|consultant|tester|security)|help ?desk|qa|quality assurance (?:analyst|tester|specialist)|cybersecurity|blockchain|technologist|(?:ai|ml|deep learning|nlp) (?:researcher|specialist|scientist)`,
    unless:
      '(?:engineering|software|it|technical|technology|cybersecurity|engineer) (?:recruiter|sales|sourcer|buyer|account executive|writer|coordinator)|software account executive|recruiter|sales (?:representative|executive|development)|account executive',
  },
  {
    position: 'technical',
    confidence: 0.7,
    title: 'architect|scientist|technician|tester|administrator|it|technical|technology|data engineer',
    unless:
      'landscape architect|interior architect|political scientist|social scientist|pharmacy technician|nail technician|recruiter|technical writer|technology (?:sales|consultant|teacher|attorney)|it (?:recruiter|sales|auditor|buyer)|account executive|sales',
  },
  {
    position: 'manager',
    confidence: 0.65,
    title: 'lead|leader|management',
    unless:
      'lead generation|management (?:consultant|analyst|trainee)|leader in|lead (?:generator|analyst|consultant|designer|specialist|recruiter|nurse|teacher)',
  },
  {
    position: 'individual_contributor',
    confidence: 0.9,
    title:
      'analyst|specialist|consultant|representative|sdr|bdr|ae|account executive|accountant|auditor|attorney|lawyer|solicitor|barrister|paralegal|designer|writer|copywriter|editor|recruiter|sourcer|nurse|teacher|professor|lecturer|physician|doctor|buyer|planner|agent|strategist|coordinator|researcher|trader|broker|underwriter|banker|journalist|photographer|producer|instructor|trainer|pharmacist|therapist|psychologist|surgeon|dentist|veterinarian|economist|statistician|actuary|bookkeeper|marketer|product owner|scrum master|evangelist|generalist|(?:business|hr|people|talent|channel|finance|strategic|customer|client|learning|sales|account|growth|it|training|procurement|sourcing|marketing|technology) partner|counsel',
  },
  {
    position: 'individual_contributor',
    confidence: 0.75,
    title:
      'associate|executive|advisor|adviser|officer|assistant|expert|freelancer|freelance|contractor|coach|chef|driver|operator|mechanic|electrician|plumber|inspector|estimator|scheduler|merchandiser|stylist|advocate|ambassador|artist|animator|librarian|translator|interpreter|pilot|adjuster|processor|worker|counselor|counsellor|sales|salesperson|salesman|saleswoman|realtor|owner|investigator|chemist|biologist|pathologist|practitioner|fellow|architect|technician|scientist|paramedic|police|firefighter|pastor|author|blogger|influencer|musician|actor|athlete|curator|principal (?:consultant|analyst|designer)|staff|partner',
  },
  {
    position: 'director',
    confidence: 0.5,
    title: 'principal',
  },
];
