import { shopName } from "../catalogue.ts";
import { text } from "../formats/text.ts";

const warranty = `The work comes as it is. ${shopName} is not liable for damage that arises from its use.`;

export const licencesAtAGlance = () =>
  text(
    `${shopName}: licences at a glance`,
    "",
    "Every item in the Digital Library comes under one of two licences. The text that",
    "comes with your download is the one that counts; this page only sums it up.",
    "",
    "                                   Personal    Studio",
    "Use it in your own projects        yes         yes",
    "Show or play the result in public  yes         yes",
    "Use it in paid work                no          yes",
    "People who may use it              1           up to 10",
    "Change it                          yes         yes",
    "Pass the files on                  no          no",
    "",
    "E-books carry no licence text: read them, print them, lend the print.",
  );

export const personalLicence = () =>
  text(
    `${shopName}: personal licence`,
    "",
    "1. You, one person, may use this work in projects of your own that earn no money.",
    "2. You may change it, combine it with other works, and show or play the result",
    "   in public.",
    "3. You may keep copies on all devices that you use yourself.",
    "4. You may not sell, lend, share or publish the files themselves, changed or not,",
    "   nor train a generator of similar works with them.",
    "5. The licence has no end. It lapses if you break it, and revives once you stop",
    "   and make good.",
    "",
    warranty,
  );

export const studioLicence = () =>
  text(
    `${shopName}: studio licence`,
    "",
    "1. You and up to nine people who work with you may use this work in projects of",
    "   your own and for clients, paid or unpaid.",
    "2. You may change it, combine it with other works, and publish, broadcast and",
    "   sell the result, without a limit on copies.",
    "3. The result must add something of your own: the work may not be its main value.",
    "4. You may not sell, lend, share or publish the files themselves, changed or not,",
    "   nor train a generator of similar works with them.",
    "5. Clients receive the result, not the files. Credit is welcome and not required.",
    "6. The licence has no end. It lapses if you break it, and revives once you stop",
    "   and make good.",
    "",
    warranty,
  );
