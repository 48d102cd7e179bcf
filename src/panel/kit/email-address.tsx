/** Breaks a long address at its @ rather than in a word. */
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
