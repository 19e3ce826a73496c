import MockServerConsole

/// A shell for which completion scripts are available.
enum Shell: String, CaseIterable, Sendable {
  case bash, zsh, fish

  /// The completion script, generated from the table of commands.
  var completions: String {
    switch self {
    case .bash: Shell.bashScript
    case .zsh: Shell.zshScript
    case .fish: Shell.fishScript
    }
  }
}

// MARK: bash

extension Shell {
  /// The script for bash.
  ///
  /// It supports bash 3.2, the version on macOS, which lacks `mapfile` and associative arrays.
  private static var bashScript: String {
    var values: [String] = []
    var flags: [String] = []
    for command in Manual.commands {
      let name = command.name.rawValue
      for option in command.options where option.kind != .flag {
        values.append("    \(name):\(option.flag)) \(bashOffer(option.kind)) ;;")
      }
      let operand = command.operand.map { bashOffer($0.kind) } ?? "return"
      flags.append("    \(name)) flags=\"\(options(of: command).map(\.flag).joined(separator: " "))\" ;;")
      values.append("    \(name):*) if [[ $current != -* ]]; then \(operand); fi ;;")
    }
    return """
      # bash completion for mockserver; printed by: mockserver completions bash
      _mockserver() {
        local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
        local command=\(Manual.standard.rawValue) flags="" IFS=$' \\t\\n'
        COMPREPLY=()
        case ${COMP_WORDS[1]} in
          \(names.joined(separator: "|"))) if ((COMP_CWORD > 1)); then command=${COMP_WORDS[1]}; fi ;;
        esac
        # "--port=80" arrives as three words.
        if [[ $current == "=" ]]; then
          current=""
        elif [[ $previous == "=" ]]; then
          previous=${COMP_WORDS[COMP_CWORD-2]}
        fi
        if ((COMP_CWORD == 1)) && [[ $current != -* ]]; then
          COMPREPLY=($(compgen -W "\(names.joined(separator: " "))" -- "$current"))
          return
        fi
        case $command:$previous in
      \(values.joined(separator: "\n"))
        esac
        if [[ ${#COMPREPLY[@]} -gt 0 || $current != -* ]]; then return; fi
        case $command in
      \(flags.joined(separator: "\n"))
        esac
        COMPREPLY=($(compgen -W "$flags" -- "$current"))
      }
      complete -F _mockserver mockserver

      """
  }

  private static func bashOffer(_ kind: Kind) -> String {
    let names = "compopt -o filenames 2>/dev/null; IFS=$'\\n'; COMPREPLY=($(compgen"
    return switch kind {
    case .folder: "\(names) -d -- \"$current\")); return"
    case .path: "\(names) -f -- \"$current\")); return"
    case .choice(let choices):
      "COMPREPLY=($(compgen -W \"\(choices.joined(separator: " "))\" -- \"$current\")); return"
    case .flag, .text, .number, .size, .seconds, .factor, .age: "return"
    }
  }
}

// MARK: zsh

extension Shell {
  private static var zshScript: String {
    let cases = Manual.commands.map { command in
      var lines = options(of: command).map { "      \(zshArgument($0))" }
      if let operand = command.operand {
        let number = operand.count.upperBound > 1 ? "*" : "1"
        lines.append("      '\(number):\(zshText(operand.placeholder)):\(zshAction(operand.kind))'")
      }
      return "    \(command.name.rawValue)) arguments=(\n\(lines.joined(separator: "\n"))\n    ) ;;"
    }
    let described = Manual.commands.map { "    '\($0.name.rawValue):\(zshText($0.summary))'" }
    return """
      #compdef mockserver
      # zsh completion for mockserver; printed by: mockserver completions zsh
      _mockserver() {
        local command=\(Manual.standard.rawValue)
        local -a arguments commands
        commands=(
      \(described.joined(separator: "\n"))
        )
        if ((CURRENT == 2)) && [[ $words[CURRENT] != -* ]]; then
          _describe command commands
          return
        fi
        if [[ $words[2] == (\(names.joined(separator: "|"))) ]]; then
          command=$words[2]
          shift words
          ((CURRENT--))
        fi
        case $command in
      \(cases.joined(separator: "\n"))
        esac
        _arguments $arguments
      }
      # Sourced, it registers itself; found in $fpath, it is the function.
      if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _mockserver "$@"; else compdef _mockserver mockserver; fi

      """
  }

  private static func zshArgument(_ option: Option) -> String {
    let text = zshText(option.help)
    let many = option.repeats ? "*" : ""
    guard option.kind != .flag else { return "'\(many)\(option.flag)[\(text)]'" }
    return "'\(many)\(option.flag)=[\(text)]:\(zshText(option.placeholder ?? option.name)):\(zshAction(option.kind))'"
  }

  private static func zshAction(_ kind: Kind) -> String {
    switch kind {
    case .folder: "_files -/"
    case .path: "_files"
    case .choice(let choices): "(\(choices.joined(separator: " ")))"
    case .flag, .text, .number, .size, .seconds, .factor, .age: " "
    }
  }

  /// Escapes text for a single-quoted specification, in which colons and brackets are separators.
  private static func zshText(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      switch character {
      case "'": result += "'\\''"
      case ":", "[", "]", "\\": result += "\\\(character)"
      default: result.append(character)
      }
    }
  }
}

// MARK: fish

extension Shell {
  private static var fishScript: String {
    // `serve` is the default command, so its options are also offered without a command.
    let others = names.filter { $0 != Manual.standard.rawValue }.joined(separator: " ")
    var lines = [
      "# fish completion for mockserver; printed by: mockserver completions fish",
      "complete -c mockserver -f",
    ]
    for command in Manual.commands {
      let name = command.name.rawValue
      lines.append("complete -c mockserver -n __fish_use_subcommand -a \(name) -d \(fishText(command.summary))")
      let condition =
        command.name == Manual.standard
        ? "'not __fish_seen_subcommand_from \(others)'" : "'__fish_seen_subcommand_from \(name)'"
      for option in command.options {
        lines.append(
          "complete -c mockserver -n \(condition) -l \(option.name)\(fishAction(option.kind)) -d \(fishText(option.help))"
        )
      }
      if let operand = command.operand {
        let action = fishAction(operand.kind).replacing(" -x", with: "").replacing(" -r", with: "")
        lines.append("complete -c mockserver -n \(condition)\(action)")
      }
    }
    lines.append("complete -c mockserver -l help -s h -d \(fishText(Manual.helpOption.help))")
    lines.append("complete -c mockserver -l version -d \(fishText(Manual.versionOption.help))")
    return lines.joined(separator: "\n") + "\n"
  }

  private static func fishAction(_ kind: Kind) -> String {
    switch kind {
    case .flag: ""
    case .folder: " -x -a '(__fish_complete_directories)'"
    case .path: " -r -F"
    case .choice(let choices): " -x -a '\(choices.joined(separator: " "))'"
    case .text, .number, .size, .seconds, .factor, .age: " -x"
    }
  }

  private static func fishText(_ text: String) -> String {
    "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
  }

  private static var names: [String] { Manual.commands.map(\.name.rawValue) }

  private static func options(of command: Command) -> [Option] { command.options + Manual.everywhere }
}
