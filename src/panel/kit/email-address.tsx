/** Where it is too long for a line it is broken at its sign, not in a word. */
export const EmailAddress = ({ text }: { text: string }) => {
  const [person, ...hosts] = text.split("@");
  return (
    <>
      {person}
      {hosts.map((host) => (
        <>
          @<wbr />
          {host}
        </>
      ))}
    </>
  );
};
