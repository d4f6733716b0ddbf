import type { PatternText } from './pattern-text';

export const APPROACH_AND_SEQUENCE: Readonly<Record<string, PatternText>> = {
  'PER-1': {
    description: [
      'Messages <b>without personalization</b>: the same words could have gone to anyone.',
      'They cost nothing to prepare, so more of them can be sent. Readers recognise them quickly.',
    ],
    more: 'Messages <b>without personalization</b> hold up well; spend the time you save elsewhere.',
    less: 'Send fewer messages <b>without personalization</b>; even one line about the reader’s company is a start.',
  },
  'PER-2': {
    description: [
      'Messages with <b>light personalization</b>: the name, the company or the role of the reader appears.',
      'This is what a mail merge can do. It is polite, though it no longer proves that somebody thought about the reader.',
    ],
    more: 'Use <b>light personalization</b> more often: name, company, role.',
    less: 'Go beyond <b>light personalization</b>, or drop it: filling in a name alone does not help you.',
  },
  'PER-3': {
    description: [
      'Messages with <b>deep personalization</b>: they refer to something that is true only of this reader.',
      'It takes time to find, and it is hard to ignore. Where it touches private matters it can feel intrusive.',
    ],
    more: 'Use <b>deep personalization</b> more often: mention what is true of this one reader.',
    less: 'Use <b>deep personalization</b> less; the effort does not come back as replies.',
  },
  'SP-1': {
    description: [
      'Messages that <b>name customers or peers</b> of the reader.',
      'People look at what others in their place have decided. The names must mean something to the reader, or they are noise.',
    ],
    more: '<b>Name customers or peers</b> in more of your messages: two that this reader will recognise are enough.',
    less: '<b>Name customers or peers</b> less often; say what you would do for this reader instead.',
  },
  'SP-2': {
    description: [
      'Messages that quote <b>results in figures</b>: hours saved, growth, costs avoided.',
      'A figure is easier to believe than an adjective, provided that it is plausible and has a source.',
    ],
    more: 'Quote <b>results in figures</b> in more of your messages: one figure, and where it comes from.',
    less: 'Quote <b>results in figures</b> less often; describe in words what changes for the reader.',
  },
  'MA-1': {
    description: [
      'Messages that <b>open with a problem</b> the reader is likely to have.',
      'Naming a problem precisely shows that you know the field. A problem that the reader does not have ends the conversation.',
    ],
    more: '<b>Open with a problem</b> more often: one that people in the reader’s job complain about.',
    less: '<b>Open with a problem</b> less often; start with what could be better, or with a question.',
  },
  'MA-2': {
    description: [
      'Messages that <b>open with a benefit</b>: what the reader would gain.',
      'The reader sees at once what is in it for them. Every other sender promises benefits too, so a general one is passed over.',
    ],
    more: '<b>Open with a benefit</b> more often: what this reader would gain, in the first line.',
    less: '<b>Open with a benefit</b> less often; show first that you know the reader’s situation.',
  },
  'MA-3': {
    description: [
      'Messages that <b>open with a question</b>.',
      'A question in the first line starts a dialogue before anything is offered. It should be one that the reader likes to answer.',
    ],
    more: '<b>Open with a question</b> more often: one that can be answered in a sentence.',
    less: '<b>Open with a question</b> less often; say first why you are writing.',
  },
  'MA-4': {
    description: [
      'Messages that <b>open with a shared contact or a trigger</b>: an introduction, an event, a piece of news.',
      'They answer the question “why me, and why now?” before it is asked. The occasion has to be real and recent.',
    ],
    more: '<b>Open with a shared contact or a trigger</b> more often: look for a recent event or somebody you both know.',
    less: '<b>Open with a shared contact or a trigger</b> less often; keep it for occasions that really concern the reader.',
  },
  'KP-1': {
    description: [
      'Messages with the phrase <b>“quick question”</b>.',
      'It promises little effort. It has been used so often that some readers take it for a sign of a sales message.',
    ],
    more: 'The phrase <b>“quick question”</b> serves you; keep it where a short question follows.',
    less: 'Drop the phrase <b>“quick question”</b> and ask the question itself.',
  },
  'KP-2': {
    description: [
      'Messages with a phrase such as <b>“following up”</b> or “checking in”.',
      'It reminds the reader of an earlier message. By itself it gives no new reason to answer.',
    ],
    more: 'Phrases such as <b>“following up”</b> serve you; keep them in your reminders.',
    less: 'Replace phrases such as <b>“following up”</b> with something new for the reader.',
    note: 'Such phrases occur in later steps of a sequence; the comparison is made within the same step.',
  },
  'KP-3': {
    description: [
      'Messages that ask softly, for instance <b>“worth a chat?”</b> or “open to it?”.',
      'A soft ask can be answered with one word. It commits nobody, the reader included.',
    ],
    more: 'Close with a soft ask such as <b>“worth a chat?”</b> more often.',
    less: 'Replace soft asks such as <b>“worth a chat?”</b> with a concrete proposal.',
  },
  'KP-4': {
    description: [
      'Messages that offer a <b>calendar link</b>.',
      'A link spares both sides the search for a date. In a first message it can seem to take the answer for granted.',
    ],
    more: 'Offer a <b>calendar link</b> in more of your messages.',
    less: 'Offer the <b>calendar link</b> only after the reader has answered.',
    note: 'Bookings that are made through the link without a reply count only if you report them as responses.',
  },
  'KP-5': {
    description: [
      'Messages that give the reader <b>an easy way out</b>, such as “no pressure” or “if not, no problem”.',
      'Permission to say no makes it easier to say anything at all. It may also invite a no that would not have come.',
    ],
    more: 'Give the reader <b>an easy way out</b> more often: one short line at the end that makes a no easy.',
    less: 'Leave out the <b>easy way out</b>; end on your request.',
  },
  'SS-1': {
    description: [
      '<b>First messages</b> of a sequence, before any follow-up.',
      'They reach people who have not ignored you yet, so their reply rate is usually the highest of all steps.',
    ],
    more: 'Your <b>first messages</b> do the work; put your best writing there.',
    less: 'Rework your <b>first messages</b>: later steps do better than they do.',
    note: 'Recipients who replied receive no follow-up, so later steps address a harder audience.',
  },
  'SS-2': {
    description: [
      'The <b>first two follow-ups</b> after the opening message.',
      'Many answers come only after a reminder. These steps show whether yours add something or merely repeat.',
    ],
    more: 'Make sure that every sequence has its <b>first two follow-ups</b>.',
    less: 'Rework your <b>first two follow-ups</b>: give a new reason to answer in each.',
    note: 'Recipients who replied receive no follow-up, so later steps address a harder audience.',
  },
  'SS-3': {
    description: [
      'The <b>third and later follow-ups</b> of a sequence.',
      'Persistence is sometimes rewarded. It also costs goodwill, and unsubscribes gather here.',
    ],
    more: 'Keep the <b>third and later follow-ups</b>; they still bring replies.',
    less: 'Stop before the <b>third follow-up</b>, or change the channel.',
    note: 'Recipients who replied receive no follow-up, so later steps address a harder audience.',
  },
  'CH-1': {
    description: [
      'Messages sent by <b>e-mail</b>, compared with those sent on LinkedIn.',
      'E-mail reaches nearly everyone at work and leaves room for detail. It is also where most of the competition is.',
    ],
    more: 'Use <b>e-mail</b> for a larger part of your outreach.',
    less: 'Shift part of your outreach from <b>e-mail</b> to LinkedIn.',
    note: 'The two channels often reach different people; the comparison is made within the same position and step.',
  },
  'CH-2': {
    description: [
      'Messages sent on <b>LinkedIn</b>, compared with those sent by e-mail.',
      'Your profile stands beside every message, which builds trust where it is good. Some people look there only once a week.',
    ],
    more: 'Use <b>LinkedIn</b> for a larger part of your outreach.',
    less: 'Shift part of your outreach from <b>LinkedIn</b> to e-mail.',
    note: 'The two channels often reach different people; the comparison is made within the same position and step.',
  },
};
