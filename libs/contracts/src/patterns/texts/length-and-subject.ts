import type { PatternText } from './pattern-text';

export const LENGTH_AND_SUBJECT: Readonly<Record<string, PatternText>> = {
  'BWC-1': {
    description: [
      'Messages of <b>fewer than 50 words</b>: about three or four sentences, readable on a phone without scrolling.',
      'So little text can be taken in at a glance, and answering feels just as quick. The price is that there is hardly room for a reason to answer.',
    ],
    more: 'Keep more of your messages <b>under 50 words</b>.',
    less: 'Give the reader more than <b>50 words</b>: the very short messages seem to say too little.',
  },
  'BWC-2': {
    description: [
      'Messages of <b>50 to 99 words</b>: room for one reason, one piece of evidence and one request.',
      'This is a common length for outreach. If it does well for you, the extra words in longer messages probably do not pay for themselves.',
    ],
    more: 'Aim for <b>50 to 99 words</b>: one reason, one piece of evidence, one request.',
    less: 'Move away from <b>50 to 99 words</b>; try clearly shorter or clearly fuller messages.',
  },
  'BWC-3': {
    description: [
      'Messages of <b>100 to 149 words</b>: two or three paragraphs that take about half a minute to read.',
      'There is space for an example or a short story. Make sure that the request is not lost at the end.',
    ],
    more: 'Aim for <b>100 to 149 words</b>; use the space for one example.',
    less: 'Move away from <b>100 to 149 words</b>; cut a paragraph and see what is missed.',
  },
  'BWC-4': {
    description: [
      'Messages of <b>150 to 199 words</b>: a small letter with an introduction, an argument and an ending.',
      'Readers who already care may want this much. Strangers often stop after the first paragraph.',
    ],
    more: 'Aim for <b>150 to 199 words</b>; your readers seem to want the detail.',
    less: 'Shorten messages of <b>150 to 199 words</b>; leave out what can wait for the answer.',
  },
  'BWC-5': {
    description: [
      'Messages of <b>200 words or more</b>: they need scrolling on a phone and a minute or longer to read.',
      'A long message asks for time before it has earned any. It can still be right for a complex offer to a reader who expects one.',
    ],
    more: 'Keep writing <b>200 words or more</b> where you have the substance for it.',
    less: 'Avoid messages of <b>200 words or more</b>; split them over the steps of the sequence.',
  },
  'SWC-1': {
    description: [
      'Subject lines of <b>1 to 3 words</b>, such as one would write to a colleague.',
      'They are shown in full everywhere and leave something open. Too little information, on the other hand, may look like spam.',
    ],
    more: 'Use more subject lines of <b>1 to 3 words</b>, as you would to a colleague.',
    less: 'Use subject lines longer than <b>1 to 3 words</b>; say a little more about what is inside.',
  },
  'SWC-2': {
    description: [
      'Subject lines of <b>4 to 6 words</b>: enough for a topic and a detail.',
      'They still fit on the screen of a phone, and the reader learns what to expect.',
    ],
    more: 'Use more subject lines of <b>4 to 6 words</b>: the topic and one detail.',
    less: 'Use fewer subject lines of <b>4 to 6 words</b>; try two words, or nearly a sentence.',
  },
  'SWC-3': {
    description: [
      'Subject lines of <b>7 to 9 words</b>: nearly a full sentence.',
      'They can carry a concrete promise. On a phone the end is usually cut off, so the important words belong at the front.',
    ],
    more: 'Use more subject lines of <b>7 to 9 words</b>, with the important words first.',
    less: 'Shorten subject lines of <b>7 to 9 words</b>; keep the two or three words that matter.',
  },
  'SWC-4': {
    description: [
      'Subject lines of <b>10 words or more</b>.',
      'So long a line reads like a headline and is cut off in most inboxes. It has to earn its place with something specific.',
    ],
    more: 'Keep using subject lines of <b>10 words or more</b>; the detail seems to help.',
    less: 'Avoid subject lines of <b>10 words or more</b>; move the detail into the first sentence.',
  },
  'SF-1': {
    description: [
      'Subject lines that <b>ask a question</b>.',
      'A question opens a gap that the reader may want to close. If the answer is obviously no, there is no reason to open the message.',
    ],
    more: 'Put a <b>question</b> into more of your subject lines: one that the message answers.',
    less: 'Put fewer <b>questions</b> into your subject lines; name the topic instead.',
  },
  'SF-2': {
    description: [
      'Subject lines that contain a <b>number</b>: a percentage, an amount, a count, a date.',
      'Figures catch the eye between words and make a promise concrete. Overdone, they resemble advertising.',
    ],
    more: 'Put a <b>number</b> into more of your subject lines: a real one, that the message explains.',
    less: 'Leave <b>numbers</b> out of more of your subject lines; they may look like advertising.',
  },
  'SF-3': {
    description: [
      'Subject lines <b>addressed to the reader</b>: they speak to “you”, or name the person or the company.',
      'They show that the message was not meant for everyone. Readers have also learned that a name can be filled in by a machine.',
    ],
    more: '<b>Address the reader</b> in more of your subject lines: by “you”, by name or by company.',
    less: '<b>Address the reader</b> in fewer of your subject lines; name the subject itself.',
  },
  'RD-1': {
    description: [
      'Text that is <b>easy to read</b>: short sentences and short words that need no second look.',
      'Easy text is read faster and by more people, experts included. It does not mean that the content is simple.',
    ],
    more: 'Keep more of your messages <b>easy to read</b>: short words, short sentences.',
    less: 'Add substance to messages that are very <b>easy to read</b>; they may come across as shallow.',
  },
  'RD-2': {
    description: [
      'Text of <b>standard difficulty</b>, comparable to a newspaper article.',
      'Most business mail is written like this. Nobody stumbles over it, and nobody notices it either.',
    ],
    more: 'Write more of your messages at <b>standard difficulty</b>, like a newspaper article.',
    less: 'Move away from <b>standard difficulty</b>; simpler text is usually the first thing to try.',
  },
  'RD-3': {
    description: [
      'Text that is <b>difficult to read</b>: long sentences, long words, technical terms.',
      'Specialists sometimes take it as a sign of competence. For everyone else it is work, and work is put off.',
    ],
    more: 'Your readers accept text that is <b>difficult to read</b>; keep the technical precision.',
    less: 'Avoid text that is <b>difficult to read</b>: cut sentences in two and choose the shorter word.',
  },
};
