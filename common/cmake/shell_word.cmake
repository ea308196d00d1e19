# The text as a word for the shell.
function(shell_word result text)
  string(REPLACE "'" "'\\''" text "${text}")
  set(${result} "'${text}'" PARENT_SCOPE)
endfunction()
